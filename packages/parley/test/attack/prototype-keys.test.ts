import { describe, expect, it } from 'vitest';
import { BUILT_IN_DIALECTS } from '../../src/dialects/registry.ts';
import { SPEAKERS } from '../support/speakers.ts';
import { type RawRequest, sendRaw } from './support/raw-request.ts';
import { type Performed, Recorder } from './support/recorded.ts';
import { type Headers, proofOf, startVictim, type Victim } from './support/victim.ts';

/** Names that every object has, or that stand for its prototype. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then'];
const POISON = '{"polluted":"yes","isAdmin":true,"prototype":{"polluted":"yes"}}';

const SENDS: Readonly<Record<string, Performed>> = {
  'a rich message': (client) =>
    client.sendMessage(
      {
        message: {
          parts: ['finish', { kind: 'data', data: { deep: [{ er: {} }] } }],
          metadata: { one: { two: {} } },
          referenceTaskIds: [],
        },
        configuration: { historyLength: 1, acceptedOutputModes: ['text/plain'] },
        metadata: { of: { the: 'request' } },
      },
      { idempotencyKey: 'k' },
    ),
  'a get': (client, { taskId }) => client.getTask(taskId),
  'a cancel': (client, { taskId }) => client.cancelTask(taskId),
};

/** The text of a body with a member put first into one of its objects, once for each. */
function poisoned(body: string, name: string): readonly string[] {
  const places = [...body.matchAll(/\{/g)].map(({ index }) => index + 1);
  return places.map((place) => {
    const rest = body.slice(place);
    const comma = rest.startsWith('}') ? '' : ',';
    return `${body.slice(0, place)}${JSON.stringify(name)}:${POISON}${comma}${rest}`;
  });
}

function expectUnharmed({ logged }: Victim): void {
  expect(({} as Readonly<Record<string, unknown>>).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Readonly<Record<string, unknown>>).isAdmin).toBeUndefined();
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
}

async function sendUnharmed(victim: Victim, title: string, request: RawRequest): Promise<string> {
  const { status, body } = await sendRaw(victim.url, request);
  expect(status, `${title}: ${body}`).toBeLessThan(500);
  expect(body, title).not.toMatch(/-32603|Internal error/);
  return body;
}

describe('names that objects inherit', () => {
  it.each(SPEAKERS)('pollute and break nothing, in any object of a body of $name', async (speaker) => {
    const victim = await startVictim();
    const ann = await proofOf('ann', 'API key');
    const recorder = new Recorder(victim.url, speaker, ann);
    for (const [title, perform] of Object.entries(SENDS)) {
      const ask = await recorder.record(perform);
      const target = await recorder.begin();
      const request = ask(target, ann);
      for (const name of NAMES) {
        for (const body of poisoned(request.body ?? '', name)) {
          const length = String(Buffer.byteLength(body));
          const headers = { ...request.headers, 'content-length': length };
          await sendUnharmed(victim, `${title} ${body}`, { ...request, body, headers });
        }
      }
    }
    expectUnharmed(victim);
  });

  it('are no ids, names, tenants, skills, tokens or keys of anything', async () => {
    const victim = await startVictim({ tenants: ['acme'] });
    const ann = await proofOf('ann', 'API key');
    const post = (path: string, params: object, method: string, headers: Headers = {}): RawRequest => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...ann, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'finish' }] };
    for (const name of NAMES) {
      const places: Readonly<Record<string, RawRequest>> = {
        'the id of a task': post('/a2a', { id: name }, 'GetTask'),
        'the task of a message': post('/a2a', { message: { ...message, taskId: name } }, 'SendMessage'),
        'a tenant': post('/a2a', { id: name, tenant: name }, 'GetTask'),
        'the tenant of a list': post('/a2a', { tenant: name }, 'ListTasks'),
        'a page token': post('/a2a', { pageToken: name }, 'ListTasks'),
        'a state': post('/a2a', { status: name }, 'ListTasks'),
        'a method': post('/a2a', {}, name),
        'a role': post('/a2a', { message: { ...message, role: name } }, 'SendMessage'),
        'an agent': post(`/a2a/agents/${name}`, {}, 'ListTasks'),
        'a version': post('/a2a', {}, 'ListTasks', { 'a2a-version': name }),
      };
      for (const [title, request] of Object.entries(places)) {
        const body = await sendUnharmed(victim, `${title} ${name}`, request);
        expect(body, `${title} ${name}`).toMatch(/"error":/);
      }
      const harmless: Readonly<Record<string, RawRequest>> = {
        'a context': post('/a2a', { message: { ...message, contextId: name } }, 'SendMessage'),
        'the id of a message': post('/a2a', { message: { ...message, messageId: name } }, 'SendMessage'),
        'an idempotency key': post('/a2a', { message }, 'SendMessage', { 'idempotency-key': `"${name}"` }),
        'an extension': post('/a2a', {}, 'ListTasks', { 'a2a-extensions': name }),
      };
      for (const [title, request] of Object.entries(harmless)) {
        expect(await sendUnharmed(victim, `${title} ${name}`, request), `${title} ${name}`).toMatch(/"result":/);
      }
      for (const path of [
        `/a2a/tasks/${name}`,
        `/a2a/${name}/tasks`,
        `/${name}`,
        `/a2a/${name}`,
        `/a2a/tasks?${name}=1`,
      ]) {
        await sendUnharmed(victim, path, { method: 'GET', path, headers: { 'a2a-version': '1.0', ...ann } });
      }
      await sendUnharmed(victim, `the header ${name}`, {
        method: 'GET',
        path: '/a2a/tasks',
        headers: { 'a2a-version': '1.0', ...ann, [name]: 'x' },
      });
    }
    expectUnharmed(victim);
  });

  it('are no method of any dialect', () => {
    for (const { methods } of BUILT_IN_DIALECTS.all) {
      for (const name of NAMES) expect(methods.get(name)).toBeUndefined();
    }
  });
});
