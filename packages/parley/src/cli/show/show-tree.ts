import type { MissingTask, TaskNode, TaskTree } from '../../client/tasks/task-tree.ts';
import { cleanLine } from '../text/clean.ts';
import type { Style } from '../text/style.ts';
import { truncated, widthOf } from '../text/width.ts';
import { LOOKS, subjectOf } from './task-table.ts';

/** One task of a tree, without those below it. */
interface TreeRow extends Omit<TaskNode, 'children'> {
  readonly depth: number;
  /** The id of the task above. */
  readonly parent: string | undefined;
  /** True for the task that the user asked for. */
  readonly asked: boolean;
  readonly isLast: boolean;
}

const GAP = '  ';
/** The width of a task's subject where that of the output is unknown. */
const FIRST_WORDS = 60;
const LEAST_WORDS = 12;

/** The tasks of a tree from top to bottom: those that led to the one that was asked for, that one, and those below. */
export function treeRows({ parents, ...root }: TaskTree): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = ({ children, ...node }: TaskNode, depth: number, parent: string | undefined, isLast: boolean) => {
    rows.push({ depth, parent, asked: node.task === root.task, ...node, isLast });
    for (const [index, child] of children.entries()) {
      add(child, depth + 1, node.taskId, index === children.length - 1);
    }
  };
  for (const [depth, node] of parents.entries()) add(node, depth, parents[depth - 1]?.taskId, true);
  add(root, parents.length, parents.at(-1)?.taskId, true);
  return rows;
}

/** The same for programs. */
export function treeObject({ depth, parent, taskId, agent, url, asked, task, missing }: TreeRow): object {
  return { depth, parent: parent ?? null, taskId, agent, url, asked, task, missing: missing && shortOf(missing) };
}

function shortOf({ reason, message, error }: MissingTask): object {
  return { reason, message, code: error?.code };
}

/** A line for each task. Ids are whole, because one wants to copy them. */
export function treeLines(rows: readonly TreeRow[], style: Style, columns: number | undefined): readonly string[] {
  const hasParents = rows[0]?.asked === false;
  /** For each level whether more is to come there. */
  const goesOn: boolean[] = [];
  return rows.map((row) => {
    const { depth, isLast, task, missing, asked } = row;
    const trunk = goesOn.slice(1, depth).map((more) => (more ? '│  ' : '   '));
    const branch = depth === 0 ? '' : `${trunk.join('')}${isLast ? '└─ ' : '├─ '}`;
    goesOn[depth] = !isLast;
    const state = task ? task.status.state : (missing?.reason ?? '');
    const agent = cleanLine(row.agent) || '(unknown)';
    const id = cleanLine(row.taskId);
    const mark = asked && hasParents ? `${GAP}←` : '';
    const words = task ? subjectOf(task) : (missing?.message ?? '');
    const fixed = [agent, state, id].join(GAP);
    const room = columns === undefined ? FIRST_WORDS : columns - widthOf(branch + fixed + mark + GAP);
    const first = room < LEAST_WORDS ? '' : truncated(cleanLine(words), room);
    const shown = [
      asked ? style.apply(agent, 'bold') : agent,
      style.apply(state, task ? LOOKS[task.status.state] : 'yellow'),
      id,
      ...(first === '' ? [] : [task ? first : style.apply(first, 'dim')]),
    ];
    return `${style.apply(branch, 'dim')}${shown.join(GAP)}${mark}`;
  });
}
