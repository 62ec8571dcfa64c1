import type { Speaker } from '../../support/speakers.ts';
import { OPERATIONS, type Operation, Recorder, type Target, type Template } from './recorded.ts';
import type { Headers, Victim } from './victim.ts';

/** The dialects that can list. */
const LISTING: ReadonlySet<string> = new Set(['1.0 JSON-RPC', '1.0 HTTP+JSON', 'v1_draft']);

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
  for (const operation of OPERATIONS) {
    if (operation !== 'list' || LISTING.has(speaker.name)) templates.set(operation, await recorder.record(operation));
  }
  const tasks = [['waiting', await recorder.begin()] as const, ['finished', await recorder.begin('finish')] as const];
  return { templates, tasks };
}
