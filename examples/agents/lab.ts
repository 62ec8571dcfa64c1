import { type Agent, bytes, defineAgent, json, type Outcome, reject, reply, type TaskContext } from 'parley-a2a';
import { chunkText } from './lab/chunks.ts';
import { type Command, parseScript, type Script, USAGE } from './lab/commands.ts';
import { sleep } from './sleep.ts';

const LONGEST_QUOTE = 80;

/** Does what the message says, line by line. */
export const lab: Agent = defineAgent({
  name: 'lab',
  description: 'Plays a script that the message holds, one command per line, so that clients can be tried against it.',
  version: '1.0.0',
  resumable: true,
  inputModes: ['text/plain'],
  // The media type of a file is whatever the script says.
  outputModes: ['text/plain', 'application/json', '*/*'],
  skills: [
    {
      id: 'script',
      name: 'Script',
      description: `Plays a script. ${USAGE}`,
      tags: ['test', 'script', 'streaming', 'clients'],
      examples: [
        'say Working on it\nchunk 100 32 10',
        'ask What is your name?\nreply Thank you',
        'file notes.txt text/plain Hello\ndata {"answer": 42}',
        'reply Hello',
        'wait 5000\nfail Out of luck',
      ],
    },
  ],

  async run(task) {
    const script = parseScript(task.text);
    if (script.kind === 'malformed') return reply(explain(script));
    if (script.commands.length === 0) return reply(USAGE);
    for (const command of script.commands) {
      task.signal.throwIfAborted();
      const outcome = await perform(command, task);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  },
});

function explain({ line, source, reason }: Extract<Script, { readonly kind: 'malformed' }>): string {
  const shown = source.length > LONGEST_QUOTE ? `${source.slice(0, LONGEST_QUOTE)}…` : source;
  return `Line ${line} is not right: ${shown}\n${reason}\n\n${USAGE}`;
}

/** Gives an outcome where the command ends the script. */
async function perform(command: Command, task: TaskContext): Promise<Outcome | undefined> {
  switch (command.name) {
    case 'say':
      await task.status(command.text);
      return undefined;
    case 'chunk':
      await streamChunks(command, task);
      return undefined;
    case 'file': {
      const { filename, mediaType, text } = command;
      await task.artifact({ name: filename }).end(bytes(text, { mediaType, filename }));
      return undefined;
    }
    case 'data':
      await task.artifact({ name: 'data' }).end(json(command.value, { mediaType: 'application/json' }));
      return undefined;
    case 'wait':
      // A step, so that a wait that is over is not repeated after a restart.
      await task.step('wait', () => sleep(command.milliseconds, task.signal));
      return undefined;
    case 'ask': {
      const answer = await task.ask(command.text);
      await task.artifact({ name: 'answer' }).end(`answered: ${answer}`);
      return undefined;
    }
    case 'auth': {
      const answer = await task.ask(command.text, { state: 'auth-required' });
      await task.artifact({ name: 'authorization' }).end(`authorized: ${answer}`);
      return undefined;
    }
    case 'reply':
      return reply(command.text);
    case 'fail':
      throw new Error(command.text);
    case 'reject':
      throw reject(command.text);
    default:
      return command satisfies never;
  }
}

async function streamChunks(
  { count, size, delay }: Extract<Command, { readonly name: 'chunk' }>,
  task: TaskContext,
): Promise<void> {
  const artifact = task.artifact({ name: 'chunks', description: `${count} chunks of ${size} characters` });
  for (let number = 1; number <= count; number += 1) {
    await sleep(number === 1 ? 0 : delay, task.signal);
    const text = chunkText(number, size);
    await (number < count ? artifact.write(text) : artifact.end(text));
  }
}
