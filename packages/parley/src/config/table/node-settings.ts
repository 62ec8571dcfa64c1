import { choice, either, programValue } from '../kinds.ts';
import type { Setting } from '../setting.ts';
import { busAddress } from '../store-place.ts';

/** Several servers with one store. */
export const NODE_SETTINGS: readonly Setting[] = [
  {
    name: 'bus',
    kind: either(busAddress, programValue('a bus')),
    flag: 'bus',
    about: 'Connects servers that share a store; by default the database does',
  },
  {
    name: 'role',
    kind: choice('all', 'front', 'worker'),
    flag: 'role',
    default: 'all',
    about:
      'Among servers that share a store: front serves requests and runs no agents, worker runs agents and listens on this machine only',
  },
];
