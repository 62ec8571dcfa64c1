import type { Artifact, StreamEvent, Task, TaskState } from 'parley-a2a';
import { A2AError } from 'parley-a2a';
import type { ArtifactUpdate, StatusUpdate } from 'parley-a2a/types';
import type { ReceivedEvent } from '../../../src/bindings/caller.ts';
import type { Timing } from '../../../src/client/call/timing.ts';
import { type ReconnectInfo, type ReconnectOptions, reconnectSettings } from '../../../src/client/options.ts';
import { ResumingStream } from '../../../src/client/stream/resuming.ts';
import type { Received, StreamSource } from '../../../src/client/stream/stream-source.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const TIME = '2026-03-01T12:00:00.000Z';
export const IDS = { taskId: 't', contextId: 'c' } as const;

export function taskWith(state: TaskState, ...artifacts: readonly Artifact[]): Task {
  return { id: 't', contextId: 'c', status: { state, timestamp: TIME }, artifacts, history: [] };
}

export function artifactOf(...texts: readonly string[]): Artifact {
  return { artifactId: 'a', parts: texts.map((text) => ({ kind: 'text', text })) };
}

export const begins = (state: TaskState = 'submitted', ...artifacts: readonly Artifact[]): StreamEvent => ({
  kind: 'task',
  task: taskWith(state, ...artifacts),
});

export const turns = (state: TaskState): StatusUpdate => ({
  kind: 'status',
  ...IDS,
  status: { state, timestamp: TIME },
});

export const writes = (text: string, append = true): ArtifactUpdate => ({
  kind: 'artifact',
  ...IDS,
  artifact: artifactOf(text),
  append,
  lastChunk: false,
});

/** A step of a connection: an event, with or without an id, how it ends, or that nothing comes until something is told. */
export type Step =
  | StreamEvent
  | { readonly id?: string; readonly event: StreamEvent; readonly final?: boolean; readonly isCut?: boolean }
  | Error
  | Promise<unknown>
  | (() => Promise<unknown>);

export const lost = () => new A2AError('UNREACHABLE', 'The connection was lost');

/** A connection that plays its steps, and ends properly unless the last one is an error. */
export async function* played(steps: readonly Step[]): AsyncGenerator<ReceivedEvent, undefined, undefined> {
  for (const step of steps) {
    if (step instanceof Error) throw step;
    if (typeof step === 'function') await step();
    else if (step instanceof Promise) await step;
    else if ('event' in step) yield { id: step.id, event: step.event, final: step.final ?? false, isCut: step.isCut };
    else yield { id: undefined, event: step, final: false };
  }
}

export interface Script {
  readonly resumes?: boolean;
  readonly beginsWithTask?: boolean;
  /** What each send is answered with. */
  readonly sends?: readonly (readonly Step[] | Error)[];
  /** What each subscription is answered with. */
  readonly subscriptions?: readonly (readonly Step[] | Error | Promise<readonly Step[] | Error>)[];
  /** What looking at the task shows, time after time; the last one stays. */
  readonly looks?: readonly (Task | Error)[];
  /** Called when the task is looked at, before the answer. */
  readonly onLook?: () => void;
  readonly message?: StreamSource['message'];
  readonly taskId?: string;
  readonly lastEventId?: string;
  readonly reconnect?: ReconnectOptions | false;
}

/** A stream over connections that are played, with a clock that the test moves, and what was asked of the server. */
export function scripted(script: Script) {
  const clock = new ManualClock();
  const timing: Timing = { now: clock.now, after: (ms, callback) => clock.after(ms, callback), random: () => 0.5 };
  const asked: string[] = [];
  const reconnects: ReconnectInfo[] = [];
  const abort = new AbortController();
  const [sends, subscriptions, looks] = [
    [...(script.sends ?? [])],
    [...(script.subscriptions ?? [])],
    [...(script.looks ?? [])],
  ];
  const answer = async (list: NonNullable<Script['subscriptions']>[number][]): Promise<Received> => {
    const steps = (await list.shift()) ?? lost();
    if (steps instanceof Error) throw steps;
    return played(steps);
  };
  const resumes = script.resumes ?? false;
  const stream = new ResumingStream(
    {
      resumes,
      beginsWithTask: script.beginsWithTask ?? true,
      message: script.message,
      send: script.sends
        ? async () => {
            asked.push('send');
            return answer(sends);
          }
        : undefined,
      subscribe: async (id, position) => {
        asked.push(position === undefined ? `subscribe ${id}` : `subscribe ${id} after ${position}`);
        return answer(subscriptions);
      },
      getTask: async (id) => {
        asked.push(`get ${id}`);
        script.onLook?.();
        const task = looks.length > 1 ? looks.shift() : looks[0];
        if (task instanceof Error || !task) throw task ?? lost();
        return task;
      },
    },
    {
      settings: reconnectSettings(script.reconnect ?? {}, resumes),
      timing,
      signal: abort.signal,
      onReconnect: (info) => reconnects.push(info),
      taskBytes: Number.POSITIVE_INFINITY,
      taskId: script.taskId,
      lastEventId: script.lastEventId,
    },
  );
  return { stream, clock, asked, reconnects, abort };
}

/** Reads to the end while the clock runs. */
export async function readAll({ stream, clock }: Pick<ReturnType<typeof scripted>, 'stream' | 'clock'>) {
  const events: StreamEvent[] = [];
  const outcome: { error?: unknown; done: boolean } = { done: false };
  const reading = (async () => {
    try {
      for await (const event of stream.events()) events.push(event);
    } catch (error) {
      outcome.error = error;
    }
    outcome.done = true;
  })();
  for (let turn = 0; turn < 500 && !outcome.done; turn += 1) await clock.advance(1_000);
  if (outcome.done) await reading;
  return { events, error: outcome.error as A2AError | undefined, done: outcome.done };
}

export function brief(events: readonly StreamEvent[]): readonly string[] {
  return events.map((event) => {
    if (event.kind === 'task') return `task ${event.task.status.state}`;
    if (event.kind === 'status') return event.status.state;
    if (event.kind === 'message') return 'message';
    const text = event.artifact.parts.map((part) => (part.kind === 'text' ? part.text : part.kind)).join('|');
    return `${event.append ? '+' : '='}${text}`;
  });
}
