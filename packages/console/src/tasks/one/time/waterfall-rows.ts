import type { TaskTree, TreeSpan, TreeStep, TreeTask } from '../../../../../parley/src/server/operator/console-api.ts';
import { formatDuration } from '../../../design/components/values/measures.tsx';
import { callOf, stepWords } from './step-words.ts';

/** A stretch of the waterfall: its place and width in percent of the whole. */
export interface Stretch {
  readonly kind: TreeSpan['kind'] | 'step';
  readonly left: number;
  readonly width: number;
  readonly words: string;
}

export interface WaterfallRow {
  readonly task: TreeTask;
  readonly depth: number;
  readonly spans: readonly Stretch[];
  readonly steps: readonly Stretch[];
  /** Where the time went, e.g. `20 ms waiting for a slot, 1.2 s running`. */
  readonly words: string;
}

export const SPAN_WORDS: Readonly<Record<TreeSpan['kind'], string>> = {
  queued: 'waiting for a slot',
  running: 'running',
  waiting: 'waiting for the caller',
};

/** The tasks of a tree in the order of a reader, each with its stretches on one scale of time. */
export function rowsOf(
  tree: TaskTree,
  now: number,
): { readonly rows: readonly WaterfallRow[]; readonly length: number } {
  const tasks = flatten(tree.root, 0);
  const from = Math.min(...tasks.map(({ task }) => timeOf(task.found?.createdAt, now)));
  const to = Math.max(...tasks.map(({ task }) => endOf(task, now)), from + 1);
  const place = (kind: Stretch['kind'], begin: number, end: number, words: string): Stretch => ({
    kind,
    left: (Math.max(0, begin - from) / (to - from)) * 100,
    width: (Math.max(0, end - Math.max(begin, from)) / (to - from)) * 100,
    words,
  });
  const rows = tasks.map(({ task, depth }) => ({
    task,
    depth,
    spans: (task.found?.spans ?? []).map((span) => {
      const [begin, end] = [timeOf(span.from, now), timeOf(span.to, now)];
      return place(span.kind, begin, end, `${SPAN_WORDS[span.kind]} for ${formatDuration(end - begin)}`);
    }),
    steps: (task.found?.steps ?? [])
      .filter(({ name }) => callOf(name)?.isBeginning !== true)
      .map((step) => stepOf(step, place)),
    words: sumOf(task.found?.spans ?? [], now),
  }));
  return { rows, length: to - from };
}

function flatten(task: TreeTask, depth: number): readonly { readonly task: TreeTask; readonly depth: number }[] {
  return [{ task, depth }, ...task.children.flatMap((child) => flatten(child, depth + 1))];
}

function stepOf(
  { name, from, to, isKept }: TreeStep,
  place: (kind: 'step', begin: number, end: number, words: string) => Stretch,
): Stretch {
  const end = Date.parse(to);
  const begin = from === undefined ? end : Date.parse(from);
  // A step of the task that was run again came before everything else, and takes no place.
  const length = isKept ? ', kept' : from === undefined ? '' : `, ${formatDuration(end - begin)}`;
  return place('step', begin, end, `${stepWords(name)}${length}`);
}

/** How long the task was in each way, in the order in which these first came. */
function sumOf(spans: readonly TreeSpan[], now: number): string {
  const sums = new Map<TreeSpan['kind'], number>();
  for (const { kind, from, to } of spans) {
    sums.set(kind, (sums.get(kind) ?? 0) + timeOf(to, now) - Date.parse(from));
  }
  return [...sums].map(([kind, length]) => `${formatDuration(length)} ${SPAN_WORDS[kind]}`).join(', ');
}

function endOf({ found }: TreeTask, now: number): number {
  if (found === undefined) return 0;
  return Math.max(timeOf(found.endedAt, now), ...found.spans.map(({ to }) => timeOf(to, now)));
}

function timeOf(time: string | undefined, otherwise: number): number {
  return time === undefined ? otherwise : Date.parse(time);
}
