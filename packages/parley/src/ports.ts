export type {
  BindingCall,
  BindingRequest,
  BindingResponse,
  ClientBinding,
  ServedBinding,
  ServerBinding,
} from './bindings/binding.ts';
export type {
  BindingCaller,
  BindingCallerLimits,
  BindingCallerOptions,
  BindingCallOptions,
  ReceivedEvent,
} from './bindings/caller.ts';
export type {
  EventBatch,
  EventList,
  EventRecord,
  EventStream,
  Position,
  StreamForm,
  StreamSnapshot,
} from './bindings/event-stream.ts';
export { EventTexts, type EventTextsOptions } from './bindings/event-texts.ts';
export type {
  ExchangeRequest,
  ExchangeResponse,
  Peer,
  RequestHeaders,
  ResponseHeaders,
  ResponseStream,
} from './bindings/exchange.ts';
export { readJson } from './bindings/http/body/body.ts';
export { refusalStatusOf } from './bindings/http/early-errors.ts';
export { LiveStream, type LiveStreamOptions } from './bindings/live-stream.ts';
export type { BindingOptions } from './bindings/options.ts';
export type { Service, StreamResult, UnaryResult } from './bindings/service.ts';
export type {
  ArtifactEvent,
  CreatedEvent,
  MessageEvent,
  NotedEvent,
  StatusEvent,
  TaskEvent,
} from './engine/log/events.ts';
export type * from './engine/ports.ts';
export { type Call, type CallDetails, isStreamCall, type NewCall } from './model/call.ts';
export type {
  OperationInputs,
  OperationName,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from './model/operations.ts';
export {
  type FlexibleLimiter,
  type FlexibleLimiterOptions,
  type FlexibleResult,
  flexibleRates,
} from './server/limits/rates/flexible-rates.ts';
export type { RateState, RateStore } from './server/limits/rates/rate-store.ts';
export { isStoreError, StoreError, type StoreErrorCode } from './stores/store-error.ts';
export { withStore } from './stores/with-store.ts';
