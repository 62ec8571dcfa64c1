import type { Speaker } from '../../support/speakers.ts';
import { type Performed, Recorder, type Target, type Template } from './recorded.ts';
import type { Headers, Victim } from './victim.ts';

/** The dialects that can list. */
const LISTING: ReadonlySet<string> = new Set(['1.0 JSON-RPC', '1.0 HTTP+JSON', 'v1_draft']);

const PERFORM = {
  get: (client, { taskId }) => client.getTask(taskId),
  subscribe: (client, { taskId }) => firstOf(client.subscribe(taskId)),
  resume: (client, { taskId }) => firstOf(client.subscribe(taskId, { lastEventId: 1 })),
  'follow up': (client, { taskId }) => client.sendMessage('go on', { taskId }),
  'stream on': (client, { taskId }) => firstOf(client.sendMessageStream('go on', { taskId })),
  cancel: (client, { taskId }) => client.cancelTask(taskId),
  list: async (client, { contextId }) => client.listTasks({ contextId }),
} as const satisfies Readonly<Record<string, Performed>>;

/** What a client can do with a task that it knows. */
export type Operation = keyof typeof PERFORM;

async function firstOf(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events) return;
}

export interface AnnsWork {
  /** Her requests, by every operation that the dialect has. */
  readonly templates: ReadonlyMap<Operation, Template>;
  /** Her tasks, each with its state. */
  readonly tasks: readonly (readonly [string, Target])[];
}

/** What Ann did with tasks of her own, for Bob to try on hers. */
export async function annsWork({ url }: Victim, speaker: Speaker, credentials: Headers): Promise<AnnsWork> {
  const recorder = new Recorder(url, speaker, credentials);
  const templates = new Map<Operation, Template>();
  for (const [operation, perform] of Object.entries(PERFORM) as [Operation, Performed][]) {
    if (operation !== 'list' || LISTING.has(speaker.name)) templates.set(operation, await recorder.record(perform));
  }
  const tasks = [['waiting', await recorder.begin()] as const, ['finished', await recorder.begin('finish')] as const];
  return { templates, tasks };
}
