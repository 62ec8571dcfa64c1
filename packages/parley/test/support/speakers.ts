import type { ClientOptions } from 'parley-a2a';
import type { Mount } from 'parley-a2a/types';

/** A way to speak to a server with our client. */
export interface Speaker {
  readonly name: string;
  /** Below the server's address. */
  readonly path: string;
  readonly options: ClientOptions;
}

/** The mounts that `SPEAKERS` needs beside those that every server has. */
export const SPEAKERS_MOUNTS: readonly Mount[] = [
  { path: '/older', dialect: 'rxjs-older' },
  { path: '/cogitator', dialect: 'cogitator' },
  // Tests that speak every dialect send more than one client of JAF may.
  { path: '/jaf', dialect: 'jaf', limits: { rate: false, requestsPerCaller: 0, tasksPerContext: 0 } },
  { path: '/draft', dialect: 'v1_draft' },
];

/** Every dialect and binding, each at an address where it is spoken. */
export const SPEAKERS: readonly Speaker[] = [
  { name: '1.0 JSON-RPC', path: '', options: { prefer: { version: '1.0', binding: 'JSONRPC' } } },
  { name: '1.0 HTTP+JSON', path: '', options: { prefer: { version: '1.0', binding: 'HTTP+JSON' } } },
  { name: '0.3 JSON-RPC', path: '', options: { prefer: { version: '0.3', binding: 'JSONRPC' } } },
  { name: '0.3 HTTP+JSON', path: '', options: { prefer: { version: '0.3', binding: 'HTTP+JSON' } } },
  { name: 'rxjs', path: '/api/a2a', options: { protocol: 'rxjs' } },
  { name: 'rxjs-older', path: '/older', options: { protocol: 'rxjs-older' } },
  { name: 'banterop', path: '/a2a/v1', options: { protocol: 'banterop' } },
  { name: 'cogitator', path: '/cogitator', options: { protocol: 'cogitator' } },
  { name: 'jaf', path: '/jaf', options: { protocol: 'jaf' } },
  { name: 'v1_draft', path: '/draft', options: { protocol: 'v1_draft' } },
];
