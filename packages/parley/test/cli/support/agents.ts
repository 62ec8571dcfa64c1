import { type A2AServerOptions, type Agent, defineAgent, text } from 'parley-a2a';
import { analyst, echo, lab, reporter } from '../../../../../examples/agents/index.ts';
import { startServer } from '../../support/rpc.ts';

/** Asks for a secret: `message` marks the message, `question` is a question of the extension, anything else marks a part. */
export const vault: Agent = defineAgent({
  name: 'vault',
  description: 'Asks for a secret',
  version: '1.0.0',
  async *run(task) {
    const marked = { sensitive: true };
    const question =
      task.text === 'message'
        ? { parts: [text('The password?')], metadata: marked }
        : { parts: [text('The password?', { metadata: marked })] };
    const secret =
      task.text === 'question'
        ? await task.ask({ prompt: 'The password?', sensitive: true })
        : await task.ask(question);
    yield `${secret.length} characters`;
  },
});

/** Says what a terminal must not get. */
export const rude: Agent = defineAgent({
  name: 'rude',
  description: 'Says escape sequences\u001b]0;owned\u0007',
  version: '1.0.0',
  async *run(task) {
    await task.status('status\u001b[2J\u0007');
    yield 'red \u001b[31mtext\u001b[0m \u0007bell \u202eoverride \u009b2J\n';
  },
});

/** Takes its time when it is canceled. */
export const stubborn: Agent = defineAgent({
  name: 'stubborn',
  description: 'Does not stop at once',
  version: '1.0.0',
  async *run(task) {
    task.onCancel(() => new Promise((resolve) => setTimeout(resolve, 60_000).unref()));
    yield 'begun\n';
    await new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(task.signal.reason)));
  },
});

/** Cannot stream. */
export const dull: Agent = defineAgent({
  name: 'dull',
  description: 'Does not stream',
  version: '1.0.0',
  streaming: false,
  async run(task) {
    if (task.text === 'wait') await new Promise((resolve) => setTimeout(resolve, 500));
    return '# Done';
  },
});

export interface Served {
  /** Of the default agent, the lab. */
  readonly url: string;
  readonly at: (name: string) => string;
}

/** The agents on a port of their own until the test ends. */
export async function serveAgents(options: Partial<A2AServerOptions> = {}): Promise<Served> {
  const { server } = startServer([lab, echo, reporter, analyst, vault, rude, stubborn, dull], options);
  await server.listen({ port: 0 });
  const url = server.url ?? '';
  return { url, at: (name) => `${url}/a2a/agents/${name}` };
}
