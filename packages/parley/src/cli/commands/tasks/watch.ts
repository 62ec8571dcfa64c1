import { isA2AError } from '../../../model/errors/errors.ts';
import type { Message, Task } from '../../../model/task.ts';
import type { Command } from '../../command.ts';
import { CALL_OPTIONS, wholeNumber } from '../../options.ts';
import { Answer } from '../../turn/answer.ts';
import { type Conversation, converse } from '../../turn/conversation.ts';
import { follow } from '../../turn/follow.ts';
import { conclude } from '../../turn/outcome.ts';
import { poll } from '../../turn/poll.ts';

export const watch: Command = {
  name: 'watch',
  parameters: 'URL ID',
  summary: 'follow an existing task until it ends or waits for input',
  details:
    'Starts with the results so far. With --from it starts after that event, which needs an agent that declares ' +
    'urn:parley:ext:resume:v1. Ctrl-C stops watching and leaves the task alone.',
  words: [2, 2],
  options: ['from', 'output', ...CALL_OPTIONS],
  examples: [
    'watch localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e',
    'watch localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e --from 12 --json',
  ],

  run: ({ positionals: [url = '', id = ''], options }, surroundings) => {
    const from = options.from === undefined ? undefined : wholeNumber('from', options.from, 0, Number.MAX_SAFE_INTEGER);
    return converse(url, options, surroundings, async (conversation) => {
      const answer = new Answer(conversation.screen);
      const result = await followOrPoll(id, from, answer, conversation);
      return conclude(result, conversation, { answer });
    });
  },
};

async function followOrPoll(
  id: string,
  from: number | undefined,
  answer: Answer,
  conversation: Conversation,
): Promise<Task | Message> {
  const { client, interruption } = conversation;
  try {
    const stream = client.subscribe(id, { lastEventId: from, signal: interruption.signal });
    return await follow(stream, conversation, { live: true, answer, watches: true });
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'UNSUPPORTED_OPERATION') throw error;
    return poll(id, conversation, answer);
  }
}
