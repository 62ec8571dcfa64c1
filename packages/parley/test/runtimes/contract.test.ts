import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { adapterContract } from '../adapters/contract.ts';
import { express5Host } from '../adapters/hosts/express.ts';
import { fastifyHost } from '../adapters/hosts/fastify.ts';
import { fetchHost } from '../adapters/hosts/fetch.ts';
import { honoHost } from '../adapters/hosts/hono.ts';
import { koaHost } from '../adapters/hosts/koa.ts';
import { listenHost, middlewareHost, nodeHost } from '../adapters/hosts/node.ts';
import type { Host } from '../adapters/support/host.ts';
import { nativeHost } from './programs/native-host.ts';
import { HOW, PROJECT, RUNTIMES } from './runtime.ts';
import { RuntimeHost } from './runtime-host.ts';

const TESTS = join(import.meta.dirname, '..');

/** Where the program finds each host: the module and the name in it. */
const HOSTS: readonly (readonly [string, string, Host])[] = [
  ['node', 'listenHost', listenHost],
  ['native', 'nativeHost', nativeHost],
  ['node', 'nodeHost', nodeHost],
  ['node', 'middlewareHost', middlewareHost],
  ['fetch', 'fetchHost', fetchHost],
  ['express', 'express5Host', express5Host],
  ['hono', 'honoHost', honoHost],
  ['fastify', 'fastifyHost', fastifyHost],
  ['koa', 'koaHost', koaHost],
];

describe.skipIf(PROJECT === '').each(RUNTIMES)(`the contract of adapters on $name${HOW}`, (runtime) => {
  beforeAll(() => {
    // Sources of tests resolve the package from where they are, and there it is the packed one.
    for (const path of ['adapters', 'runtimes', 'support/script.ts']) {
      mkdirSync(join(PROJECT, 'support'), { recursive: true });
      cpSync(join(TESTS, path), join(PROJECT, path), { recursive: true });
    }
  });

  for (const [module, exported, host] of HOSTS) {
    const remote = new RuntimeHost(runtime, module, exported, host);
    afterAll(() => remote.end());
    adapterContract(remote);
  }
});
