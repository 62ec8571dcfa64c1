import { textOf } from '../../../model/parts.ts';
import type { Command } from '../../command.ts';
import { CALL_OPTIONS } from '../../options.ts';
import { age } from '../../text/amounts.ts';
import { cleanLine } from '../../text/clean.ts';
import { Answer } from '../../turn/answer.ts';
import { converse } from '../../turn/conversation.ts';
import { conclude } from '../../turn/outcome.ts';

export const get: Command = {
  name: 'get',
  parameters: 'URL ID',
  summary: 'show a task and its results so far',
  details:
    'The text of the task goes to stdout, so that you can save it to a file; --json shows the whole task. The ' +
    'exit code tells the state; it is 0 while the task is working.',
  words: [2, 2],
  options: ['output', ...CALL_OPTIONS],
  examples: [
    'get localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e',
    'get localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e --output results > report.md',
  ],

  run: ({ positionals: [url = '', id = ''], options }, surroundings) =>
    converse(url, options, surroundings, async (conversation) => {
      const { client, screen, interruption } = conversation;
      const task = await client.getTask(id, { signal: interruption.signal });
      screen.idle();
      const answer = new Answer(screen);
      if (screen.json) screen.object(task);
      else {
        const asked = task.history.find(({ role }) => role === 'user');
        if (asked) screen.hint(`asked: ${cleanLine(textOf(asked)) || '(no text)'}`);
        screen.hint(`${task.status.state}, changed ${age(task.status.timestamp, Date.now())}`);
        answer.apply({ kind: 'task', task });
        answer.end();
      }
      return conclude(task, conversation, { answer });
    }),
};
