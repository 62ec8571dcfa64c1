import { choice, either, programValue } from '../kinds.ts';
import type { Setting } from '../setting.ts';
import { busAddress } from '../store-place.ts';

/** How several servers with one store work together. */
export const NODE_SETTINGS: readonly Setting[] = [
  {
    name: 'bus',
    kind: either(busAddress, programValue('a bus')),
    flag: 'bus',
    about: 'How servers that share a store talk to each other; by default over the database; in a program also a bus',
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
