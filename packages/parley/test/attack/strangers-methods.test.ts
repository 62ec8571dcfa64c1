import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIALECTS } from '../../src/dialects/registry.ts';
import { expectNoDifference } from './support/compared.ts';
import type { RawRequest } from './support/raw-request.ts';
import { OFFICIAL, Recorder, type Target } from './support/recorded.ts';
import { type Headers, proofOf, STORES, startVictim } from './support/victim.ts';

/** Addresses and the dialects whose methods they understand. */
const ADDRESSES: readonly (readonly [string, string, Headers])[] = [
  ['/a2a', 'v1_0', { 'a2a-version': '1.0' }],
  ['/a2a', 'v0_3', { 'a2a-version': '0.3' }],
  ['/a2a', 'v0_3', {}],
  ['/a2a/agents/test', 'v1_0', { 'a2a-version': '1.0' }],
  ['/api/a2a', 'rxjs', {}],
  ['/older', 'rxjs-older', {}],
  ['/a2a/v1', 'banterop', {}],
  ['/cogitator', 'cogitator', {}],
  ['/jaf', 'jaf', {}],
  ['/draft', 'v1_draft', {}],
];

/** Every name under which some dialect has the id of a task, a configuration or a page. */
function bagOf({ taskId, contextId }: Target): object {
  const config = { id: 'config', url: 'https://example.com/hook', token: 'token' };
  return {
    id: taskId,
    taskId,
    task_id: taskId,
    contextId,
    sessionId: contextId,
    name: `tasks/${taskId}/pushNotificationConfigs/config`,
    parent: `tasks/${taskId}`,
    pushNotificationConfigId: 'config',
    pushNotificationConfig: config,
    config,
    configId: 'config',
    url: config.url,
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }], taskId },
  };
}

function methodRequest(path: string, method: string, target: Target, headers: Headers): RawRequest {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: bagOf(target) });
  return { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** The routes of tasks in every version, below every address. */
const ROUTES = [
  ['GET', ''],
  ['GET', '?historyLength=3'],
  ['POST', ':cancel'],
  ['POST', '/cancel'],
  ['GET', ':subscribe'],
  ['POST', ':subscribe'],
  ['GET', '/subscribe'],
  ['GET', ':subscribe?after=1'],
  ['GET', '/pushNotificationConfigs'],
  ['POST', '/pushNotificationConfigs'],
  ['GET', '/pushNotificationConfigs/config'],
  ['DELETE', '/pushNotificationConfigs/config'],
] as const;
const PREFIXES = ['/a2a', '/a2a/v1', '/v1', '/a2a/agents/test', '/a2a/agents/test/v1', '/draft', '/cogitator', '/jaf'];
const TENANTS = ['', '/operator', '/acme', '/ann'];

describe.each(STORES)('a task of another caller, %s', (_, newStore) => {
  it('is as good as none by every method of every dialect', async () => {
    const victim = await startVictim({}, newStore);
    const ann = new Recorder(victim.url, OFFICIAL, await proofOf('ann', 'API key'));
    const bob = await proofOf('bob', 'API key');
    const tasks = [await ann.begin(), await ann.begin('finish')];
    for (const [path, dialect, headers] of ADDRESSES) {
      const methods = [...(BUILT_IN_DIALECTS.all.find(({ name }) => name === dialect)?.methods.keys() ?? [])];
      expect(methods.length, dialect).toBeGreaterThan(4);
      for (const method of methods) {
        for (const task of tasks) {
          const ask = (target: Target) => methodRequest(path, method, target, { ...headers, ...bob });
          const { answer } = await expectNoDifference(victim, `${method} at ${path}`, ask, task);
          expect(answer.body).not.toContain('More?');
        }
      }
    }
  });

  it('is as good as none by every route, below every address and tenant', async () => {
    const victim = await startVictim({ tenants: ['acme'] }, newStore);
    const ann = new Recorder(victim.url, OFFICIAL, await proofOf('ann', 'token'));
    const bob = await proofOf('bob', 'token');
    const task = await ann.begin();
    let served = 0;
    for (const prefix of PREFIXES) {
      for (const tenant of TENANTS) {
        for (const [method, end] of ROUTES) {
          const ask = ({ taskId }: Target): RawRequest => {
            const body = method === 'POST' ? JSON.stringify({ url: 'https://example.com/hook' }) : undefined;
            const type: Headers = body === undefined ? {} : { 'content-type': 'application/json' };
            const version = prefix.endsWith('/v1') ? '0.3' : '1.0';
            const headers = { 'a2a-version': version, ...type, ...bob };
            return { method, path: `${prefix}${tenant}/tasks/${taskId}${end}`, headers, body };
          };
          const title = `${method} ${prefix}${tenant}/tasks/ID${end}`;
          const { answer } = await expectNoDifference(victim, title, ask, task);
          expect(answer.status, title).toBeGreaterThanOrEqual(400);
          if (answer.body.includes('TASK_NOT_FOUND')) served += 1;
        }
      }
    }
    // Many of these addresses are real ones.
    expect(served).toBeGreaterThan(30);
  });
});
