import type { Bus } from '../../engine/ports.ts';
import { carriedBus } from '../carried/carried-bus.ts';
import { NatsCarrier } from './nats-carrier.ts';
import { type NatsOptions, readNatsSettings } from './settings.ts';

/**
 * A bus by NATS, for nodes that share a store: notices of commits and commands between nodes. Needs the package
 * `@nats-io/transport-node`. NATS keeps nothing of it: while it is down, readers poll the store.
 *
 * Clients that may publish on its subjects can send commands to nodes, so it must be reachable by the nodes alone.
 *
 * @example
 * new A2AServer({ agents, store: postgres('postgres://…'), bus: nats('nats://127.0.0.1:4222') });
 */
export function nats(options: string | NatsOptions): Bus {
  const settings = readNatsSettings(options);
  return carriedBus((events) => new NatsCarrier(settings, events));
}
