import type { TaskFilter } from '../../../client/tasks/task-list.ts';
import { TASK_STATES } from '../../../model/states.ts';
import type { Task } from '../../../model/task.ts';
import type { Command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CALL_OPTIONS, oneOf, wholeNumber } from '../../options.ts';
import { subjectOf, taskTable } from '../../show/task-table.ts';
import { cleanLine } from '../../text/clean.ts';
import { type Conversation, converse } from '../../turn/conversation.ts';

const DEFAULT_LIMIT = 20;
const LARGEST_PAGE = 100;
/** Enough to find what was asked for, unless it was a long talk. */
const HISTORY = 20;

export const tasks: Command = {
  name: 'tasks',
  parameters: 'URL',
  summary: 'list the tasks of an agent, latest first',
  details:
    'In a pipe, prints one line per task: state, id, context, time and subject, separated by tabs. With --json, ' +
    'every task is a line. A2A 0.3 cannot list tasks.',
  words: [1, 1],
  optionHelp: { context: 'list only tasks of this conversation' },
  options: ['state', 'context', 'limit', 'all', 'everyone', ...CALL_OPTIONS],
  examples: ['tasks localhost:4000', 'tasks localhost:4000 --state working', 'tasks localhost:4000 --all --json'],

  run: ({ positionals: [url = ''], options }, surroundings) => {
    const limit =
      options.limit === undefined ? DEFAULT_LIMIT : wholeNumber('limit', options.limit, 1, Number.MAX_SAFE_INTEGER);
    const filter: TaskFilter = {
      state: options.state === undefined ? undefined : oneOf('state', options.state, TASK_STATES),
      contextId: options.context,
      historyLength: options.json ? undefined : HISTORY,
      includeArtifacts: options.json,
    };
    return converse(url, options, surroundings, (conversation) =>
      list(filter, options.all ? undefined : limit, conversation),
    );
  },
};

async function list(filter: TaskFilter, limit: number | undefined, conversation: Conversation): Promise<number> {
  const { client, screen, interruption } = conversation;
  const { signal } = interruption;
  const found: Task[] = [];
  let total = 0;
  let pageToken: string | undefined;
  do {
    const pageSize = Math.min(LARGEST_PAGE, limit === undefined ? LARGEST_PAGE : limit - found.length);
    const page = await client.listTasks({ ...filter, pageSize, pageToken }, { signal });
    total = page.totalSize;
    for (const task of page.tasks) {
      found.push(task);
      if (screen.json) screen.object(task);
      else if (!screen.isShown) screen.write(`${line(task)}\n`);
    }
    screen.activity = `${found.length} of ${total} tasks…`;
    pageToken = page.nextPageToken === pageToken ? '' : page.nextPageToken;
  } while (pageToken && (limit === undefined || found.length < limit));
  screen.idle();
  if (screen.isShown && !screen.json && found.length > 0) {
    screen.write(`${taskTable(found, screen.style, screen.columns, Date.now()).join('\n')}\n`);
  }
  if (found.length === 0) screen.hint('There are no such tasks.');
  else if (total > found.length) screen.hint(`${found.length} of ${total} tasks; --all shows every one.`);
  return EXIT.done;
}

function line(task: Task): string {
  const { id, contextId, status } = task;
  return [status.state, id, contextId, status.timestamp, subjectOf(task)].map(cleanLine).join('\t');
}
