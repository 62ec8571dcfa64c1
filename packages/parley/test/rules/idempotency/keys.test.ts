import { A2AClient, reject, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { FORMS, JSONRPC_FORMS, REST_FORMS } from '../../bad-input/support/all-forms.ts';
import { type Form, requestOf } from '../../bad-input/support/forms.ts';
import { countingAgent } from '../../support/agents/turns.ts';
import { eventually } from '../../support/eventually.ts';
import { payloadsOf } from '../../support/frames.ts';
import { fieldsOf, startRest } from '../../support/rest.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const key = (value: string) => ({ 'idempotency-key': value });
const REPLAYED = 'idempotent-replayed';
const EXTENSION = 'urn:parley:ext:resume:v1';

/** A server that counts its runs; they end at once. */
function counting() {
  const { agent, runs, go } = countingAgent();
  go();
  return { ...startRest(agent), runs };
}

/** The error of an answer, whatever its form, in one text. */
async function problemOf(response: Response): Promise<string> {
  const text = await response.text();
  expect(text).toMatch(/Idempotency-Key/);
  return text;
}

describe('a key', () => {
  it('is the same quoted or bare (IETF draft 07; RFC 9651) [rule:idempotency.joins]', async () => {
    const { peer, runs } = counting();
    const params = sendParams('go');
    const first = await peer.call('SendMessage', params, key('8e03978e-40d5'));
    for (const same of ['"8e03978e-40d5"', ' "8e03978e-40d5" ', '"8e03978e-40d5";a=1', ' 8e03978e-40d5 ']) {
      expect(await peer.call('SendMessage', params, key(same))).toEqual(first);
    }
    expect(runs).toEqual(['go']);
  });

  it('in quotes may hold what a bare one may not', async () => {
    const { peer, runs } = counting();
    const params = sendParams('go');
    const values = ['"a, b"', '"a \\"b\\""', '"a\\\\b"', '"a  b"', '" a"', '"a;b"'];
    const ids = new Set<string>();
    for (const value of values) ids.add((await peer.call('SendMessage', params, key(value))).task.id);
    expect(ids.size).toBe(values.length);
    expect((await peer.call('SendMessage', params, key('a\\b'))).task.id).toBe([...ids][2]);
    expect(runs).toHaveLength(values.length);
  });

  it('may be 255 characters long, whatever stands around them', async () => {
    const { peer, runs } = counting();
    const params = sendParams('go');
    const longest = 'k'.repeat(255);
    const { task } = await peer.call('SendMessage', params, key(longest));
    expect((await peer.call('SendMessage', params, key(`"${longest}"`))).task.id).toBe(task.id);
    expect(runs).toEqual(['go']);
  });

  const REFUSED: Readonly<Record<string, readonly [string, RegExp]>> = {
    empty: ['', /must not be empty/],
    'empty in quotes': ['""', /must not be empty/],
    'too long': ['k'.repeat(256), /at most 255 characters; this one has 256/],
    'too long in quotes': [`"${'k'.repeat(256)}"`, /at most 255 characters/],
    'two of them': ['one, two', /one key/],
    'two in quotes': ['"one", "two"', /one key/],
    'a comma': ['one,two', /comma/],
    'an open quote': ['"one', /one key/],
    'a quote inside': ['o"ne', /quotation mark/],
    'an escape that there is not': ['"o\\ne"', /one key/],
    'words after the quotes': ['"one" two', /one key/],
    'letters beyond ASCII': ['schlüssel', /printable ASCII/],
    'the same in quotes': ['"schlüssel"', /one key/],
    'a tab': ['o\tne', /printable ASCII/],
  };

  describe.each(FORMS)('over $name', (form) => {
    it.each(Object.entries(REFUSED))('that is %s is refused with the reason', async (_, [value, reason]) => {
      const { server, runs } = counting();
      for (const operation of ['sendMessage', 'sendStreamingMessage'] as const) {
        const response = await server.fetch(requestOf(form, operation, form.send(), key(value)));
        expect(response.status).toBe(form.binding === 'rest' ? 400 : 200);
        expect(await problemOf(response)).toMatch(reason);
      }
      expect(runs).toEqual([]);
    });
  });

  it('that is none does not matter to calls that take none', async () => {
    const { peer } = counting();
    const task = await peer.send('go');
    expect((await peer.call('GetTask', { id: task.id }, key(''))).id).toBe(task.id);
  });

  it('cannot go with a batch, whose other calls are answered', async () => {
    const { agent, runs, go } = countingAgent();
    go();
    const { peer } = startServer(agent, { jsonRpcBatches: true });
    const { id } = await peer.send('go');
    const call = (method: string, params: Wire) => ({ jsonrpc: '2.0', id: 1, method, params });
    const body = [call('SendMessage', sendParams('a')), call('GetTask', { id }), call('SendMessage', sendParams('b'))];
    const response = await peer.post(JSON.stringify(body), { 'a2a-version': '1.0', ...key('k') });
    const [first, second, third] = (await response.json()) as Wire[];
    for (const refused of [first, third]) {
      expect(refused.error.code).toBe(-32602);
      expect(refused.error.message).toMatch(/Idempotency-Key is for one send and cannot go with a batch/);
    }
    expect(second.result.id).toBe(id);
    expect(runs).toEqual(['go']);
  });
});

describe('the same key with another body', () => {
  const other = (form: Form) => form.send({ [form.parts]: [form.textPart('something else')] });

  it.each(REST_FORMS)('is 422 over $name [rule:idempotency.other-body-status]', async (form) => {
    const { server, runs } = counting();
    const first = await server.fetch(requestOf(form, 'sendMessage', form.send(), key('k')));
    expect(first.status).toBe(200);
    for (const operation of ['sendMessage', 'sendStreamingMessage'] as const) {
      const response = await server.fetch(requestOf(form, operation, other(form), key('k')));
      expect(response.status).toBe(422);
      expect(await problemOf(response)).toMatch(/was used for a different request/);
    }
    expect(runs).toHaveLength(1);
  });

  it.each(JSONRPC_FORMS)('is invalid params over $name [rule:idempotency.other-body-status]', async (form) => {
    const { server } = counting();
    await server.fetch(requestOf(form, 'sendMessage', form.send(), key('k')));
    const response = await server.fetch(requestOf(form, 'sendMessage', other(form), key('k')));
    expect(response.status).toBe(200);
    const { error } = (await response.json()) as Wire;
    expect([error.code, error.message]).toEqual([-32602, expect.stringMatching(/different request/)]);
  });

  it('is told to a client as invalid params, whatever carries it', async () => {
    const { server } = counting();
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      const fetching: typeof fetch = (input, init) => server.fetch(new Request(input, init));
      const client = await A2AClient.connect('http://localhost', { fetch: fetching, prefer: { binding } });
      await client.sendMessage('one', { idempotencyKey: binding });
      const again = client.sendMessage('two', { idempotencyKey: binding });
      await expect(again).rejects.toMatchObject({ code: 'INVALID_PARAMS', metadata: { conflict: 'idempotency-key' } });
    }
  });

  it('is 422 for other words of the same length too, and before they are looked at', async () => {
    const { rest } = counting();
    await rest.send('go', { messageId: 'm' }, undefined, key('k'));
    const params = sendParams('go', { messageId: 'm', parts: [{ text: 'x', mediaType: 'image/png' }] });
    const { status, error } = await rest.error('POST', '/message:send', params, key('k'));
    expect([status, fieldsOf(error)]).toEqual([422, ['Idempotency-Key']]);
  });
});

describe('an answer that is replayed says so', () => {
  it.each(FORMS)('over $name, streams too [rule:idempotency.joins]', async (form) => {
    const { server, runs } = counting();
    const ask = async (operation: 'sendMessage' | 'sendStreamingMessage', headers = key('k')) => {
      const response = await server.fetch(requestOf(form, operation, form.send(), headers));
      await response.text();
      return response.headers.get(REPLAYED);
    };
    expect(await ask('sendMessage')).toBeNull();
    expect(await ask('sendMessage')).toBe('true');
    expect(await ask('sendStreamingMessage')).toBe('true');
    expect(await ask('sendStreamingMessage', key('another'))).toBeNull();
    expect(await ask('sendStreamingMessage', key('"another"'))).toBe('true');
    expect(await ask('sendMessage', {} as ReturnType<typeof key>)).toBeNull();
    expect(runs).toHaveLength(3);
  });

  it('while the first one still runs, and only to who joins', async () => {
    const { agent, runs, go } = countingAgent();
    const { peer } = startServer(agent);
    const params = sendParams('go');
    const first = peer.request('SendMessage', params, key('k'));
    await eventually(() => runs).toEqual(['go']);
    const second = peer.request('SendMessage', params, key('k'));
    const stream = await peer.open('SendStreamingMessage', params, key('k'));
    expect(stream.response.headers.get(REPLAYED)).toBe('true');
    go();
    await stream.rest();
    expect((await first).headers.get(REPLAYED)).toBeNull();
    expect((await second).headers.get(REPLAYED)).toBe('true');
    const [one, two]: Wire[] = [await (await first).json(), await (await second).json()];
    expect(two.result).toEqual(one.result);
  });

  it('with a bare reply', async () => {
    const { peer } = startServer(agentOf(() => reply('Hi')));
    const params = sendParams('go');
    const headers: (string | null)[] = [];
    for (let again = 0; again < 2; again += 1) {
      headers.push((await peer.request('SendMessage', params, key('k'))).headers.get(REPLAYED));
    }
    expect(headers).toEqual([null, 'true']);
  });

  it('to pages of other origins', async () => {
    const { peer } = startServer(
      agentOf(() => 'done'),
      { cors: true },
    );
    const headers = { ...key('k'), origin: 'https://app.example.com' };
    const response = await peer.request('SendMessage', sendParams('go'), headers);
    expect(response.headers.get('access-control-expose-headers')).toContain(REPLAYED);
  });

  it('but not one whose task was purged in between: that is a new one', async () => {
    const { peer, server, runs } = counting();
    const params = sendParams('go');
    await peer.call('SendMessage', params, key('k'));
    await server.purgeTasks({ endedBefore: Date.now() + 1000 });
    expect((await peer.request('SendMessage', params, key('k'))).headers.get(REPLAYED)).toBeNull();
    expect(runs).toEqual(['go', 'go']);
  });
});

describe('a repeated send gets the first answer', () => {
  it('where the agent refused it', async () => {
    let runs = 0;
    const { peer } = startServer(
      agentOf(() => {
        runs += 1;
        throw reject('not today');
      }),
    );
    const params = sendParams('go');
    const first = await peer.call('SendMessage', params, key('k'));
    expect(first.task.status.state).toBe('TASK_STATE_REJECTED');
    expect(await peer.call('SendMessage', params, key('k'))).toEqual(first);
    expect(payloadsOf(await peer.stream('SendStreamingMessage', params, key('k')))).toEqual([first]);
    expect(runs).toBe(1);
  });

  it('where it could not be accepted any more', async () => {
    const { peer, server } = startServer(agentOf(async (task) => (await task.ask('which?')) && 'done'));
    const { id, contextId, status } = await peer.send('go');
    // This variant references the task that waits; when the send is repeated, the task no longer waits.
    const tool = { kind: 'data', data: { kind: 'tool-result', toolUseId: status.message.messageId, result: 'this' } };
    const message = {
      kind: 'message',
      messageId: 'm-2',
      role: 'user',
      parts: [tool],
      contextId,
      referenceTaskIds: [id],
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } });
    const answer = () => peer.at('/api/a2a').post(body, key('k'));
    const first = (await (await answer()).json()) as Wire;
    expect(first.result.id).toBe(id);
    await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
    const second = await answer();
    expect(second.headers.get(REPLAYED)).toBe('true');
    expect(((await second.json()) as Wire).result.id).toBe(id);
    expect(server.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });

  it('but a request that was refused has taken no key: it is looked at again', async () => {
    const { rest, runs } = counting();
    const wrong = sendParams('go', { taskId: 'unknown' });
    for (let again = 0; again < 2; again += 1) {
      const { status, headers } = await rest.error('POST', '/message:send', wrong, key('k'));
      expect([status, headers.get(REPLAYED)]).toEqual([404, null]);
    }
    expect((await rest.send('go', {}, undefined, key('k'))).status.state).toBe('TASK_STATE_COMPLETED');
    expect(runs).toEqual(['go']);
  });
});

describe('the card', () => {
  const paramsOf = async (options: Parameters<typeof startServer>[1], headers: Record<string, string>) => {
    const { peer } = startServer(
      agentOf(() => 'x'),
      options,
    );
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json', { headers })).json();
    return card.capabilities.extensions.find(({ uri }: Wire) => uri === EXTENSION).params;
  };

  it.each(['1.0', '0.3'])('of %s says how long keys live, in seconds, and how long they may be', async (version) => {
    const headers = { 'a2a-version': version };
    expect(await paramsOf({}, headers)).toEqual({ idempotencyKeyLifetime: 86_400, idempotencyKeyMaxLength: 255 });
    const shorter = { retention: { keys: 60_000 } };
    expect(await paramsOf(shorter, headers)).toMatchObject({ idempotencyKeyLifetime: 60 });
  });
});

describe('our client', () => {
  const clientOf = async () => {
    const { server, runs } = counting();
    const keys: (string | null)[] = [];
    const fetching: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'POST') keys.push(request.headers.get('idempotency-key'));
      return server.fetch(request);
    };
    return { client: await A2AClient.connect('http://localhost', { fetch: fetching }), keys, runs };
  };

  it('sends keys bare, and in quotes only where they would be read as something else', async () => {
    const { client, keys } = await clientOf();
    for (const idempotencyKey of ['order-1', 'a b', 'a,b', 'say "x"', 'a\\b']) {
      await client.sendMessage('go', { idempotencyKey });
      await client.sendMessage('go', { idempotencyKey });
    }
    expect([...new Set(keys)]).toEqual(['order-1', 'a b', '"a,b"', '"say \\"x\\""', 'a\\b']);
  });

  it.each(['', 'schlüssel', 'line\nbreak', '🗝'])('refuses to send what is no key: %j', async (idempotencyKey) => {
    const { client, keys } = await clientOf();
    await expect(client.sendMessage('go', { idempotencyKey })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('Idempotency-Key'),
    });
    expect(keys).toEqual([]);
  });
});
