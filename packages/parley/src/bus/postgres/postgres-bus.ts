import type { Bus } from '../../engine/ports.ts';
import { carriedBus } from '../carried/carried-bus.ts';
import { ListeningCarrier } from './listening-carrier.ts';
import { PollingCarrier } from './polling-carrier.ts';
import type { PostgresBusSettings } from './settings.ts';

/**
 * A bus by the database that nodes share: notices of commits and commands between nodes go by LISTEN and NOTIFY, over one
 * connection for each node. Behind a pooler of transactions the database is polled, which the log says.
 */
export function postgresBus(settings: PostgresBusSettings): Bus {
  return carriedBus((events) =>
    settings.pool === 'session' ? new ListeningCarrier(settings, events) : new PollingCarrier(settings, events),
  );
}
