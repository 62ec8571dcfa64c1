import { duration } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** Times to keep things; docs/operations/storage.md says more about each. */
export const RETENTION_SETTINGS: readonly Setting[] = [
  {
    name: 'retention.tasks',
    kind: duration,
    default: 0,
    about: 'The time to keep a task after it has ended; 0 keeps it forever',
  },
  {
    name: 'retention.contexts',
    kind: duration,
    default: 86_400_000,
    about: 'The time to keep an idle conversation; 0 keeps it forever',
  },
  {
    name: 'retention.events',
    kind: duration,
    default: 0,
    about: 'The time to keep the single events of an ended task; 0 keeps them as long as the task',
  },
  {
    name: 'retention.keys',
    kind: duration,
    default: 86_400_000,
    about: 'The time to keep an idempotency key; 0 keeps it as long as its task',
  },
  {
    name: 'retention.deliveries',
    kind: duration,
    default: 0,
    about: 'The time to keep the webhooks of an ended task; 0 keeps them as long as the task',
  },
  {
    name: 'retention.journals',
    kind: duration,
    default: 0,
    about: 'The time to keep the steps of a resumable run after its task has ended; 0 keeps them as long as the task',
  },
];
