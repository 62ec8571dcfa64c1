// A server in a process of its own, for tests that kill it: server-process.ts <file> [<secret key> …]
import { appendFileSync } from 'node:fs';
import { A2AServer, authRequired, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

const [file = '', ...keys] = process.argv.slice(2);
const FOR_EVER = new Promise<never>(() => {});

/** Whether this process is the last one: only then a run gets to its end. */
const isLast = process.env.LAST_PROCESS === 'yes';

/** Says what a run does to those who may know it: the length of a secret, not the secret. */
const note = (line: string) => appendFileSync(`${file}.notes`, `${line}\n`);

const agent = defineAgent({
  name: 'vault',
  description: 'Asks for secrets',
  version: '1.0.0',
  resumable: true,
  async *run(task) {
    if (task.text === 'end with the need') return authRequired('The token?');
    if (task.previousStatus?.state === 'auth-required' || task.history.length > 0) {
      note(`turn ${task.text.length} ${JSON.stringify(task.metadata).length}`);
      if (!isLast) await FOR_EVER;
      return `${task.text.length} characters`;
    }
    yield 'before ';
    const secret =
      task.text === 'authorize'
        ? (await task.requireAuth({ schemes: ['bearer'] })).text
        : await task.ask({ prompt: 'The password?', sensitive: true });
    note(`answer ${secret.length}`);
    if (task.text !== 'ask and hang') await task.step('log in', () => note('log in'));
    // What a step returns may be the secret itself.
    const kept = task.text === 'ask' ? await task.step('keep', () => secret) : secret;
    yield 'between ';
    if (!isLast) await FOR_EVER;
    yield `${kept.length} characters`;
    return undefined;
  },
});

const secretKey = keys.length > 0 ? keys : undefined;
const server = new A2AServer({ agents: [agent], store: sqlite(file), secretKey });
await server.listen({ port: 0 });
console.log(server.url);
