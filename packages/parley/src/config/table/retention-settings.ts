import { duration } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** How long things are kept; docs/operations/storage.md says more about each. */
export const RETENTION_SETTINGS: readonly Setting[] = [
  {
    name: 'retention.tasks',
    kind: duration,
    default: 0,
    about: 'How long to keep a task after it has ended; 0 keeps it for ever',
  },
  {
    name: 'retention.contexts',
    kind: duration,
    default: 86_400_000,
    about: 'How long to keep a conversation in which nothing happens; 0 keeps it for ever',
  },
  {
    name: 'retention.events',
    kind: duration,
    default: 0,
    about: 'How long to keep the single events of a task after it has ended; 0 keeps them as long as the task',
  },
  {
    name: 'retention.keys',
    kind: duration,
    default: 86_400_000,
    about: 'How long to keep an idempotency key; 0 keeps it as long as its task',
  },
  {
    name: 'retention.deliveries',
    kind: duration,
    default: 0,
    about: 'How long to keep the webhooks of a task after it has ended; 0 keeps them as long as the task',
  },
  {
    name: 'retention.journals',
    kind: duration,
    default: 0,
    about: 'How long to keep the steps of a resumable run after its task has ended; 0 keeps them as long as the task',
  },
];
