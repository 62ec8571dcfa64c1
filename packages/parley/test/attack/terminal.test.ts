import { A2AServer, bytes, defineAgent, json, text } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cli } from '../cli/support/in-process.ts';
import { POISON, poisoningProxy } from './support/hostile-agent.ts';

/** Shows a client everything that an agent can show. */
const SHOWY = defineAgent({
  name: 'showy',
  description: 'Shows everything',
  version: '1.0.0',
  skills: [{ id: 'show', name: 'Show', description: 'Shows', tags: ['tag'], examples: ['show me'] }],
  provider: { organization: 'Acme', url: 'https://example.com' },
  documentationUrl: 'https://example.com/doc',
  async *run(task) {
    await task.status('On my way');
    if (task.text === 'fail') throw new Error('no');
    if (task.text === 'ask') {
      yield `heard ${await task.ask('Which one?')}`;
      return;
    }
    yield '# Title\n\nSome *words*, `code`, [a link](https://example.com) and\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const file = task.artifact({ name: 'file', description: 'A file' });
    await file.write(bytes(Buffer.from('x'), { filename: 'report.txt', mediaType: 'text/plain' }));
    const data = task.artifact({ name: 'data' });
    await data.write(json({ key: 'value' }));
    await data.write(text('more text'));
  },
});

/** What may come from the command line itself. */
const OURS = new RegExp(
  `${'\u001b'}\\[(?:[013-9][\\d;]*|2|22|2;[\\d;]*)?[mKG]|${'\u001b'}\\[\\d?[AJ]|\r(?!\n)|\r\n`,
  'g',
);
/** What must not reach a terminal, whatever comes before or after it. */
const HARMFUL = /[\p{Cc}--[\n\t]]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/v;

async function start() {
  const server = new A2AServer({ agents: [SHOWY], anonymous: 'shared', log: { warn: () => {}, error: () => {} } });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  const url = await poisoningProxy(server.url ?? '');
  const list = await cli(['tasks', server.url ?? '', '--json']);
  expect(list.code).toBe(0);
  return { url, real: server.url ?? '' };
}

function expectHarmless(title: string, output: string): void {
  const left = output.replace(OURS, '');
  const found = HARMFUL.exec(left);
  const around = found ? JSON.stringify(left.slice(Math.max(0, found.index - 40), found.index + 40)) : '';
  expect(found?.[0].codePointAt(0)?.toString(16), `${title}: ${around}`).toBeUndefined();
  expect(output, title).not.toContain(POISON.slice(0, 5));
}

describe('a terminal', () => {
  it('gets nothing of a hostile agent but text, by any command', async () => {
    const { url, real } = await start();
    const [done, waiting] = [await taskOf(real, 'go'), await taskOf(real, 'ask')];
    const commands: readonly (readonly string[])[] = [
      ['card', url],
      ['send', url, 'go'],
      ['stream', url, 'go'],
      ['send', url, 'fail'],
      ['stream', url, 'fail'],
      ['send', url, 'ask'],
      ['stream', url, 'ask'],
      ['get', url, done],
      ['watch', url, done],
      ['watch', url, waiting],
      ['tree', url, done],
      ['tasks', url],
      ['tasks', url, '--state', 'working'],
      ['get', url, 'never-was'],
      ['cancel', url, done],
      ['cancel', url, waiting],
      ['get', url, `never${POISON}was`],
      ['send', url, 'go', '--task', 'never-was'],
    ];
    let shown = 0;
    for (const command of commands) {
      for (const more of [[], ['--json']]) {
        const args = [...command, ...more];
        const { stdout, stderr } = await cli(args, { terminal: true });
        for (const output of [stdout, stderr]) {
          expectHarmless(args.join(' ').replaceAll(POISON, 'POISON'), output);
          if (output.includes('OWNED')) shown += 1;
        }
      }
    }
    // The texts were there; only their controls were not.
    expect(shown).toBeGreaterThan(20);
  });

  it('shows programs the very values, in JSON without a control character', async () => {
    const { url } = await start();
    const { stdout } = await cli(['card', url, '--json'], { terminal: true });
    expect(JSON.parse(stdout).card.name).toBe(`${POISON}showy`);
  });
});

async function taskOf(url: string, words: string): Promise<string> {
  const { stdout } = await cli(['send', url, words, '--json']);
  const id = /"id":"([0-9a-f-]{36})"/.exec(stdout)?.[1];
  if (id === undefined) throw new Error(`No task: ${stdout}`);
  return id;
}
