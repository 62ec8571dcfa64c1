export { nats } from './bus/nats/nats.ts';
export type { NatsOptions } from './bus/nats/settings.ts';
