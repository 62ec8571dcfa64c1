import { fieldsOf } from '../traffic/describe-exchange.ts';
import type { WireExchange, WireFrame } from './exchange.ts';

/** A stream that was cut, and how it went on. */
export interface Resume {
  readonly taskId: string;
  /** The exchange that was cut. */
  readonly cut: WireExchange;
  /** The position of the last event before the cut. */
  readonly position: string | undefined;
  /** The request that took it up; undefined until there is one that was answered. */
  readonly by: WireExchange | undefined;
  /** Requests that got no response meanwhile. */
  readonly attempts: number;
  /** Events since the stream was taken up. */
  readonly events: number;
  /** Events among them whose position had been seen before the cut. */
  readonly repeated: number;
  readonly latest: string | undefined;
}

/** The streams that were cut, the latest first. */
export function resumesIn(exchanges: readonly WireExchange[]): readonly Resume[] {
  return exchanges
    .filter(({ isStream, end }) => isStream && end?.kind === 'failed')
    .flatMap((cut) => resumeOf(cut, exchanges) ?? [])
    .reverse();
}

function resumeOf(cut: WireExchange, exchanges: readonly WireExchange[]): Resume | undefined {
  const taskId = taskIdOf(cut);
  if (taskId === undefined) return undefined;
  const later = exchanges.filter((one) => one.id > cut.id && subscribedTo(one) === taskId);
  const by = later.find(({ isStream }) => isStream);
  const attempts = later.filter(({ id, response }) => !response && (!by || id < by.id)).length;
  const { position } = cut;
  const repeated = countRepeated(by?.frames ?? [], position);
  return { taskId, cut, position, by, attempts, events: by?.events ?? 0, repeated, latest: by?.position };
}

/** Positions only grow, so that the first one that is new ends the search. */
function countRepeated(frames: readonly WireFrame[], position: string | undefined): number {
  if (position === undefined) return 0;
  const first = frames.findIndex((frame) => Number(fieldsOf(frame).id ?? -1) > Number(position));
  const old = first < 0 ? frames : frames.slice(0, first);
  return old.filter((frame) => fieldsOf(frame).id !== undefined).length;
}

const taskIds = new WeakMap<WireExchange, string>();

/** The task that a stream is of: the one that was asked for, or that of its first event. */
export function taskIdOf(exchange: WireExchange): string | undefined {
  const asked = subscribedTo(exchange);
  if (asked !== undefined) return asked;
  const known = taskIds.get(exchange);
  if (known !== undefined) return known;
  for (const frame of exchange.frames.slice(0, 3)) {
    const found = taskIdIn(frame);
    if (found === undefined) continue;
    taskIds.set(exchange, found);
    return found;
  }
  return undefined;
}

function subscribedTo({ call }: WireExchange): string | undefined {
  return call?.operation === 'subscribeToTask' && 'id' in call.input ? String(call.input.id) : undefined;
}

/** In every dialect an event names its task as `taskId`, or is the task itself, with `contextId` beside its `id`. */
function taskIdIn(frame: WireFrame): string | undefined {
  try {
    const found: { id?: string } = {};
    JSON.parse(fieldsOf(frame).data, (name, value: unknown) => {
      if (name === 'taskId' && typeof value === 'string') found.id ??= value;
      if (isTaskLike(value)) found.id = value.id;
      return value;
    });
    return found.id;
  } catch {
    return undefined;
  }
}

function isTaskLike(value: unknown): value is { readonly id: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { id, contextId, status } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof contextId === 'string' && typeof status === 'object';
}
