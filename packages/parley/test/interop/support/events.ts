import { type Artifact, type Part, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { textOf } from './messages.ts';
import type { Row } from './rows.ts';

type Payload = NonNullable<StreamResponse['payload']>;
export type EventKind = Payload['$case'];
type PayloadOf<Kind extends EventKind> = { [Case in Payload as Case['$case']]: Case['value'] }[Kind];

export function allOf(events: AsyncGenerator<StreamResponse, void, undefined>): Promise<StreamResponse[]> {
  return reading(events).rest();
}

/** A stream that is read step by step. */
export interface Reader {
  /** Events up to and including the first that fits; all of them if none does. */
  until(fits: (event: StreamResponse) => boolean): Promise<StreamResponse[]>;
  rest(): Promise<StreamResponse[]>;
  /** Goes away without reading on. */
  leave(): Promise<void>;
}

export function reading(events: AsyncGenerator<StreamResponse, void, undefined>): Reader {
  const until = async (fits: (event: StreamResponse) => boolean): Promise<StreamResponse[]> => {
    const seen: StreamResponse[] = [];
    for (let step = await events.next(); !step.done; step = await events.next()) {
      seen.push(step.value);
      if (fits(step.value)) break;
    }
    return seen;
  };
  return { until, rest: () => until(() => false), leave: async () => void (await events.return()) };
}

export function kindOf(event: StreamResponse): EventKind | undefined {
  return event.payload?.$case;
}

/** Kinds in their order, repeats as one. */
export function kindsOf(events: readonly StreamResponse[]): (EventKind | undefined)[] {
  return events.map(kindOf).filter((kind, index, kinds) => kind !== kinds[index - 1]);
}

/** The payload of an event, if it is of this kind. */
export function payloadOf<Kind extends EventKind>(
  event: StreamResponse | undefined,
  kind: Kind,
): PayloadOf<Kind> | undefined {
  const payload = event?.payload;
  return payload?.$case === kind ? (payload.value as PayloadOf<Kind>) : undefined;
}

/** The state that an event shows. */
export function stateOf(event: StreamResponse | undefined): TaskState | undefined {
  return (payloadOf(event, 'statusUpdate') ?? payloadOf(event, 'task'))?.status?.state;
}

/** The id of the task that an event is about. */
export function taskIdOf(event: StreamResponse | undefined): string {
  const update = payloadOf(event, 'statusUpdate') ?? payloadOf(event, 'artifactUpdate');
  const id = payloadOf(event, 'task')?.id ?? update?.taskId;
  if (!id) throw new Error(`Not an event of a task: ${JSON.stringify(event)}`);
  return id;
}

export function brings(text: string): (event: StreamResponse) => boolean {
  return (event) => textOf(payloadOf(event, 'artifactUpdate')?.artifact?.parts).includes(text);
}

export function shows(state: TaskState): (event: StreamResponse) => boolean {
  return (event) => stateOf(event) === state;
}

/** The texts of the statuses on the way. */
export function statusTexts(events: readonly StreamResponse[]): string[] {
  return events.map((event) => textOf(payloadOf(event, 'statusUpdate')?.status?.message?.parts)).filter(Boolean);
}

/** The texts of the artifact updates, one for each. */
export function chunkTexts(events: readonly StreamResponse[]): string[] {
  return events.flatMap((event) => {
    const update = payloadOf(event, 'artifactUpdate');
    return update ? [textOf(update.artifact?.parts)] : [];
  });
}

/**
 * The artifacts that a reader ends up with. Where the SDK does not tell appending from replacing, whatever comes for a
 * known artifact is taken to be appended.
 */
export function assembled(events: readonly StreamResponse[], row: Row): Map<string, Artifact> {
  const artifacts = new Map<string, Artifact>();
  for (const event of events) {
    const snapshot = payloadOf(event, 'task');
    for (const artifact of snapshot?.artifacts ?? []) artifacts.set(artifact.artifactId, artifact);
    const update = payloadOf(event, 'artifactUpdate');
    if (!update?.artifact) continue;
    const { artifact } = update;
    const known = artifacts.get(artifact.artifactId);
    const appends = row.sdk.readsAppend ? update.append : known !== undefined;
    const before: readonly Part[] = appends ? (known?.parts ?? []) : [];
    artifacts.set(artifact.artifactId, { ...(known ?? artifact), parts: [...before, ...artifact.parts] });
  }
  return artifacts;
}

/** The same as one text for each artifact. */
export function assembledTexts(events: readonly StreamResponse[], row: Row): string[] {
  return [...assembled(events, row).values()].map((artifact) => textOf(artifact.parts));
}

export const COMPLETED = shows(TaskState.TASK_STATE_COMPLETED);
