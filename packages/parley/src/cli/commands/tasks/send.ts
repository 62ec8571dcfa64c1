import type { SendOptions } from '../../../client/options.ts';
import { isTask, type Part } from '../../../model/task.ts';
import type { Command } from '../../command.ts';
import { EXIT, exitCodeOf } from '../../exit-codes.ts';
import { type Arguments, CALL_OPTIONS } from '../../options.ts';
import type { Surroundings } from '../../surroundings.ts';
import { cleanLine } from '../../text/clean.ts';
import { commandLine, lastWord } from '../../text/shell.ts';
import { Answer } from '../../turn/answer.ts';
import { contentOf } from '../../turn/content.ts';
import { type Conversation, converse } from '../../turn/conversation.ts';
import { follow } from '../../turn/follow.ts';
import { knownParts } from '../../turn/known-parts.ts';
import { conclude } from '../../turn/outcome.ts';

const SEND_OPTIONS = ['file', 'data', 'context', 'task', 'skill', 'output'] as const;

export const send: Command = {
  name: 'send',
  parameters: 'URL [TEXT]',
  summary: 'send a message and print the response when it is complete',
  details:
    'Without TEXT, or with -, the text is read from stdin. The response goes to stdout, everything else to ' +
    'stderr. Ctrl-C cancels the task. If the agent can stream, the command uses a stream: it shows progress, ' +
    'and a lost connection does no harm. --no-stream makes one plain request instead.',
  words: [1, Number.POSITIVE_INFINITY],
  options: [...SEND_OPTIONS, 'no-stream', 'no-wait', ...CALL_OPTIONS],
  examples: [
    "send localhost:4000 'Write the sales report for Q4'",
    "send localhost:4000 'What is in it?' --file report.pdf",
    'send localhost:4000 --json < question.txt',
  ],
  run: (args, surroundings) => transmit(args, surroundings, false),
};

export const stream: Command = {
  name: 'stream',
  parameters: 'URL [TEXT]',
  summary: 'send a message and print the response as it arrives',
  details:
    'Without TEXT, or with -, the text is read from stdin. A terminal shows Markdown formatted; a pipe gets the ' +
    'text as the agent wrote it. With --json every event is a line. A lost connection is resumed by itself. ' +
    'Ctrl-C cancels the task.',
  words: [1, Number.POSITIVE_INFINITY],
  options: [...SEND_OPTIONS, ...CALL_OPTIONS],
  examples: [
    "stream localhost:4000 'Write the sales report for Q4'",
    "stream localhost:4000 'Write the sales report for Q4' --output results > report.md",
    'stream localhost:4000/a2a/agents/lab < script.txt',
  ],
  run: (args, surroundings) => transmit(args, surroundings, true),
};

async function transmit(
  { positionals, options }: Arguments,
  surroundings: Surroundings,
  live: boolean,
): Promise<number> {
  const [url = '', ...words] = positionals;
  const parts = await contentOf(words, options, surroundings);
  return converse(url, options, surroundings, async (conversation) => {
    const { client, screen, interruption } = conversation;
    const settings: SendOptions = {
      contextId: options.context,
      taskId: options.task,
      skill: options.skill,
      signal: interruption.signal,
    };
    if (options['no-wait']) return begin(parts, settings, conversation);
    const answer = new Answer(screen);
    const seen = await knownParts(options.task, conversation, answer);
    const result = options['no-stream']
      ? await waitFor(parts, settings, conversation)
      : await follow(client.sendMessageStream(parts, settings), conversation, { live, answer });
    screen.idle();
    if (!live && screen.json) screen.object(result);
    else if (!live) {
      answer.apply(isTask(result) ? { kind: 'task', task: result } : { kind: 'message', message: result });
      answer.end();
    }
    return conclude(result, conversation, { answer, seen });
  });
}

async function waitFor(parts: readonly Part[], settings: SendOptions, { client, screen }: Conversation) {
  screen.busy('waiting for the agent…');
  return client.sendMessage(parts, settings);
}

/** Only starts the task. */
async function begin(parts: readonly Part[], settings: SendOptions, conversation: Conversation): Promise<number> {
  const { client, screen, url, surroundings } = conversation;
  const result = await client.sendMessage(parts, { ...settings, returnImmediately: true });
  screen.idle();
  if (screen.json) screen.object(result);
  else if (isTask(result)) {
    screen.write(`${screen.isShown ? cleanLine(result.id) : result.id}\n`);
    screen.hint(`Watch it with: ${commandLine(surroundings.program, 'watch', url, ...lastWord(result.id))}`);
  } else {
    const answer = new Answer(screen);
    answer.apply({ kind: 'message', message: result });
    answer.end();
  }
  return isTask(result) ? exitCodeOf(result.status.state) : EXIT.done;
}
