import { textOf } from '../../model/parts.ts';
import { isInterrupted, type TaskState } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { age } from '../text/amounts.ts';
import { cleanLine } from '../text/clean.ts';
import type { Style, StyleName } from '../text/style.ts';
import { padded, truncated, widthOf } from '../text/width.ts';

const GAP = '  ';
/** A message that is shorter than this says nothing. */
const LEAST_MESSAGE = 12;

export const LOOKS: Readonly<Record<TaskState, StyleName>> = {
  submitted: 'cyan',
  working: 'cyan',
  completed: 'green',
  failed: 'red',
  canceled: 'dim',
  rejected: 'red',
  'input-required': 'yellow',
  'auth-required': 'yellow',
  unknown: 'yellow',
};

/** The subject of a task: the question that it waits with, else the first request, else the latest message. */
export function subjectOf({ status, history }: Task): string {
  const question = isInterrupted(status.state) ? status.message : undefined;
  const message = question ?? history.find(({ role }) => role === 'user') ?? status.message ?? history.at(-1);
  return message ? textOf(message) : '';
}

interface Column {
  readonly title: string;
  readonly value: (task: Task) => string;
}

/** Tasks in columns that fit. Ids are whole, because one wants to copy them; what does not fit is left out. */
export function taskTable(tasks: readonly Task[], style: Style, columns: number, now: number): readonly string[] {
  const state: Column = { title: 'STATE', value: ({ status }) => status.state };
  const id: Column = { title: 'TASK', value: (task) => cleanLine(task.id) };
  const changed: Column = { title: 'CHANGED', value: ({ status }) => age(status.timestamp, now) };
  const context: Column = { title: 'CONTEXT', value: ({ contextId }) => cleanLine(contextId) };
  const widthsOf = (chosen: readonly Column[]) =>
    chosen.map(({ title, value }) => Math.max(title.length, ...tasks.map((task) => widthOf(value(task)))));
  const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const candidates = [[state, changed, id, context], [state, changed, id], [state, id], [id]];
  const chosen = candidates.find(
    (some) => total(widthsOf(some)) + (some.length > 2 ? LEAST_MESSAGE * 2 : 0) <= columns,
  ) ??
    candidates.find((some) => total(widthsOf(some)) <= columns + GAP.length) ?? [id];
  const widths = widthsOf(chosen);
  const room = columns - total(widths);
  const hasMessage = room >= LEAST_MESSAGE;
  const header = [
    ...chosen.map(({ title }, index) => padded(title, widths[index] ?? 0)),
    ...(hasMessage ? ['ABOUT'] : []),
  ];
  const rows = tasks.map((task) => {
    const cells = chosen.map((column, index) => {
      const cell = padded(column.value(task), widths[index] ?? 0);
      return column === state ? style.apply(cell, LOOKS[task.status.state]) : cell;
    });
    const message = hasMessage ? [truncated(cleanLine(subjectOf(task)), room)] : [];
    return [...cells, ...message].join(GAP).trimEnd();
  });
  return [style.apply(header.join(GAP).trimEnd(), 'dim'), ...rows];
}
