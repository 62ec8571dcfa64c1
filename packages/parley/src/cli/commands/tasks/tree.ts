import { taskTree } from '../../../client/tasks/task-tree.ts';
import type { Command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CALL_OPTIONS } from '../../options.ts';
import { treeLines, treeObject, treeRows } from '../../show/show-tree.ts';
import { converse } from '../../turn/conversation.ts';

export const tree: Command = {
  name: 'tree',
  parameters: 'URL ID',
  summary: 'show a task with the tasks that it started at other agents',
  details:
    'Also shows the tasks that led to it, as far as they can be reached. Other servers get your token and ' +
    'headers only if --allow-origin names them; the tree shows what could not be fetched. With --json every ' +
    'task is a line, with its depth and its parent.',
  words: [2, 2],
  options: CALL_OPTIONS,
  examples: [
    'tree localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e',
    'tree localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e --json',
  ],

  run: ({ positionals: [url = '', id = ''], options }, surroundings) =>
    converse(url, options, surroundings, async ({ client, screen, interruption: { signal } }) => {
      screen.activity = 'asking for the tasks…';
      const rows = treeRows(await taskTree(client, id, { signal }));
      screen.idle();
      if (screen.json) for (const row of rows) screen.object(treeObject(row));
      else screen.write(`${treeLines(rows, screen.style, screen.isShown ? screen.columns : undefined).join('\n')}\n`);
      return EXIT.done;
    }),
};
