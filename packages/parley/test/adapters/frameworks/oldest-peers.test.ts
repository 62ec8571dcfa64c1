// @ts-expect-error: Express 4 under another name has no types of its own
import express4 from 'express4';
import type { fastify as fastify5 } from 'fastify';
import { fastify as fastify4 } from 'fastify4';
import type { Hono } from 'hono';
import { Hono as OldestHono } from 'hono40';
import type Koa from 'koa';
// @ts-expect-error: Koa 2 under another name has no types of its own
import Koa2 from 'koa2';
import { a2aExpress } from 'parley-a2a/express';
import { a2aHono } from 'parley-a2a/hono';
import { describe, expect, it, vi } from 'vitest';
import { ROOT, readJson } from '../../setup/support/repository.ts';
import { startServer } from '../../support/rpc.ts';
import { adapterContract } from '../contract.ts';
import { express4Host } from '../hosts/express-4.ts';
import { fastifyHostOf } from '../hosts/fastify.ts';
import { honoHostOf } from '../hosts/hono.ts';
import { koaHostOf } from '../hosts/koa.ts';
import { contractAgents } from '../support/agents.ts';

// The adapters take the frameworks that the app has.
// @ts-expect-error: Express 4 under another name has no types of its own
vi.mock('express', () => import('express4'));
vi.mock('hono', () => import('hono40'));

describe('the oldest framework of a peer range', () => {
  const { peerDependencies } = readJson(ROOT, 'packages/parley/package.json');

  it.each([
    ['express', 'express4'],
    ['fastify', 'fastify4'],
    ['hono', 'hono40'],
    ['koa', 'koa2'],
  ])('of %s is what is tested here', (name, alias) => {
    const [lowest] = peerDependencies[name].match(/[\d.]+/) ?? [];
    expect(`${installedVersion(alias)}.`).toMatch(new RegExp(`^${lowest.replaceAll('.', '\\.')}\\.`));
    expect(installedVersion(alias)).toMatch(/\.0$/);
  });

  it('is what the adapters meet', () => {
    const { server } = startServer(contractAgents);
    expect(Object.getPrototypeOf(a2aExpress(server))).toBe(express4.Router);
    expect(a2aHono(server)).toBeInstanceOf(OldestHono);
  });
});

adapterContract(express4Host);
adapterContract(fastifyHostOf('Fastify 4', fastify4 as unknown as typeof fastify5));
adapterContract(honoHostOf('Hono 4.0', OldestHono as unknown as typeof Hono));
adapterContract(koaHostOf('Koa 2', Koa2 as typeof Koa));

function installedVersion(name: string): string {
  return readJson(ROOT, 'node_modules', name, 'package.json').version;
}
