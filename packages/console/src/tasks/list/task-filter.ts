import type { Query } from '../../api/operator.ts';
import { STATES, wireStateOf } from '../states.ts';

/** Which tasks a person wants to see. A member that is left out leaves nothing out. */
export interface TaskFilter {
  /** One of `STATES`. */
  readonly state?: string | undefined;
  readonly agent?: string | undefined;
  readonly context?: string | undefined;
  /** The last so many minutes. */
  readonly minutes?: number | undefined;
  /** Days as `2026-11-16`, in the time of the person; `minutes` wins over them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const MINUTE_MS = 60_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The longest window that a filter may name: ten years. */
const MOST_MINUTES = 5_256_000;
const LONGEST_TEXT = 256;

/** The filter of an address, e.g. `?state=working&agent=lab`. What is no filter is left out. */
export function readFilter(search: string): TaskFilter {
  const query = new URLSearchParams(search);
  const state = query.get('state') ?? '';
  const minutes = Number(query.get('minutes') ?? Number.NaN);
  return {
    ...((STATES as readonly string[]).includes(state) && { state }),
    ...textOf('agent', query),
    ...textOf('context', query),
    ...(Number.isInteger(minutes) && minutes > 0 && minutes <= MOST_MINUTES && { minutes }),
    ...dayOf('from', query),
    ...dayOf('to', query),
  };
}

/** The other way: the address of a filter, with `?` where there is anything to say. */
export function writeFilter(filter: TaskFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The filter as the server takes it; the days of a person are moments. */
export function queryOf(filter: TaskFilter, now: number): Query {
  const { state, agent, context, minutes, from, to } = filter;
  return {
    state: state && wireStateOf(state),
    agent,
    context,
    from: minutes === undefined ? momentOf(from, 0) : new Date(now - minutes * MINUTE_MS).toISOString(),
    to: minutes === undefined ? momentOf(to, 1) : undefined,
  };
}

export function isEmptyFilter(filter: TaskFilter): boolean {
  return writeFilter(filter) === '';
}

/** The beginning of a day, or of one after it. */
function momentOf(day: string | undefined, later: number): string | undefined {
  if (day === undefined) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

function textOf(name: 'agent' | 'context', query: URLSearchParams): TaskFilter {
  const text = query.get(name) ?? '';
  return text === '' || text.length > LONGEST_TEXT ? {} : { [name]: text };
}

function dayOf(name: 'from' | 'to', query: URLSearchParams): TaskFilter {
  const day = query.get(name) ?? '';
  return DAY.test(day) && !Number.isNaN(Date.parse(day)) ? { [name]: day } : {};
}
