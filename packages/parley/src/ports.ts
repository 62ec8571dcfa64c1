export type {
  ArtifactEvent,
  CreatedEvent,
  MessageEvent,
  NotedEvent,
  StatusEvent,
  TaskEvent,
} from './engine/log/events.ts';
export type * from './engine/ports.ts';
export { StoreError, type StoreErrorCode } from './stores/store-error.ts';
export { withStore } from './stores/with-store.ts';
