import { duration } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** How long things are kept; docs/operations/storage.md says more about each. */
export const RETENTION_SETTINGS: readonly Setting[] = [
  { name: 'retention.tasks', kind: duration, default: 0, about: 'A task, after it has ended; 0 for ever' },
  {
    name: 'retention.contexts',
    kind: duration,
    default: 86_400_000,
    about: 'A conversation in which nothing happens; 0 for ever',
  },
  {
    name: 'retention.events',
    kind: duration,
    default: 0,
    about: 'The single events of a task, after it has ended; 0 as long as the task',
  },
  { name: 'retention.keys', kind: duration, default: 86_400_000, about: 'An idempotency key; 0 as long as its task' },
  {
    name: 'retention.deliveries',
    kind: duration,
    default: 0,
    about: 'The webhooks of a task, after it has ended; 0 as long as the task',
  },
  {
    name: 'retention.journals',
    kind: duration,
    default: 0,
    about: 'What a resumable run recorded, after its task has ended; 0 as long as the task',
  },
];
