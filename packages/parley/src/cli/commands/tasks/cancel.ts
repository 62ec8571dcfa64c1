import { isA2AError } from '../../../model/errors/errors.ts';
import type { Command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CALL_OPTIONS } from '../../options.ts';
import { CommandError } from '../../show/problems.ts';
import { cleanLine } from '../../text/clean.ts';
import { commandLine, lastWord } from '../../text/shell.ts';
import { converse } from '../../turn/conversation.ts';

export const cancel: Command = {
  name: 'cancel',
  parameters: 'URL ID',
  summary: 'ask an agent to stop a task',
  details: 'The exit code is 0 if the task is canceled, even if it was before, and 1 if it ended in another way.',
  words: [2, 2],
  options: CALL_OPTIONS,
  examples: ['cancel localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e'],

  run: ({ positionals: [url = '', id = ''], options }, surroundings) =>
    converse(url, options, surroundings, async ({ client, screen, interruption: { signal } }) => {
      screen.activity = 'canceling…';
      const task = await client.cancelTask(id, { signal }).catch(async (error: unknown) => {
        if (!isA2AError(error) || error.code !== 'TASK_NOT_CANCELABLE') throw error;
        const { status } = await client.getTask(id, { historyLength: 0, signal });
        const look = commandLine(surroundings.program, 'get', url, ...lastWord(id));
        throw new CommandError(
          `The task is ${status.state} and cannot be canceled any more; ${look} shows what became of it`,
          EXIT.failed,
          error.code,
        );
      });
      screen.idle();
      const { state } = task.status;
      if (screen.json) screen.object(task);
      else screen.write(`${cleanLine(task.id)} ${state}\n`);
      return state === 'canceled' ? EXIT.done : EXIT.failed;
    }),
};
