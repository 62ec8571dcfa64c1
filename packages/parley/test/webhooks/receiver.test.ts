import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
// @ts-expect-error: Express 4 under another name has no types of its own
import express4 from 'express4';
import {
  type PushKey,
  type PushNotification,
  type PushReceiverOptions,
  pushReceiver,
  RecentPushes,
  type StreamEvent,
} from 'parley-a2a/push';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  NOW,
  notification,
  now,
  OTHER_SECRET,
  request,
  SECRET,
  type Sent,
  statusBody,
} from './support/notifications.ts';

/** A receiver that keeps what it is told. */
function receiving(options: Partial<PushReceiverOptions> = {}) {
  const told: PushNotification[] = [];
  const onEvent = (_: StreamEvent, received: PushNotification) => void told.push(received);
  const receiver = pushReceiver({ secret: SECRET, now, onEvent, ...options });
  const send = async (sent: Sent = {}): Promise<number> => (await receiver.fetch(await request(sent))).status;
  return { receiver, told, send };
}

/** A notification of a peer that signs nothing. */
function unsigned(headers: Readonly<Record<string, string>>, body = statusBody()): Request {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  return new Request('https://hooks.example/', init);
}

describe('a receiver', () => {
  it('acknowledges with 2xx what is right, and refuses the rest [rule:push.receiver-verify]', async () => {
    const { send, told, receiver } = receiving();
    expect(await send()).toBe(204);
    expect(told).toHaveLength(1);
    expect(await send({ id: 'msg_2', secrets: [OTHER_SECRET] })).toBe(401);
    expect(await send({ id: 'msg_3', timestamp: NOW / 1000 - 1000 })).toBe(400);
    expect(await send({ id: 'msg_4', body: '{}' })).toBe(422);
    const got = await receiver.fetch(new Request('https://hooks.example/'));
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect(told).toHaveLength(1);
  });

  it('refuses a wrong token and wrong credentials [rule:push.receiver-verify]', async () => {
    const { receiver, told } = receiving({ secret: undefined, token: ['old', 'new'], authorization: 'Bearer abc' });
    const good = { 'x-a2a-notification-token': 'new', authorization: 'Bearer abc' };
    const status = async (headers: Record<string, string>) => (await receiver.fetch(unsigned(headers))).status;
    expect(await status(good)).toBe(204);
    expect(await status({ ...good, 'x-a2a-notification-token': 'newer' })).toBe(401);
    expect(await status({ ...good, 'x-a2a-notification-token': '' })).toBe(401);
    expect(await status({ ...good, authorization: 'Bearer abd' })).toBe(401);
    expect(await status({ authorization: 'Bearer abc' })).toBe(401);
    expect(await status({ 'x-a2a-notification-token': 'new' })).toBe(401);
    expect(told).toHaveLength(1);
  });

  it('refuses a task that it does not expect [rule:push.receiver-verify]', async () => {
    const expected = new Set(['task-1']);
    for (const tasks of [expected, ['task-1'], async (id: string) => id === 'task-1']) {
      const { send, told } = receiving({ tasks });
      expect(await send()).toBe(204);
      expect(await send({ id: 'msg_2', body: statusBody('TASK_STATE_WORKING', 'task-2') })).toBe(404);
      expect(told).toHaveLength(1);
    }
    const { send } = receiving({ tasks: expected });
    expected.add('task-2');
    expect(await send({ body: statusBody('TASK_STATE_WORKING', 'task-2') })).toBe(204);
  });

  it('takes both names of the token and both content types [rule:push.receiver-lenient]', async () => {
    const { receiver, told } = receiving({ secret: undefined, token: 'abc' });
    let count = 0;
    for (const name of ['X-A2A-Notification-Token', 'A2A-Notification-Token']) {
      for (const type of ['application/json', 'application/a2a+json', 'application/json; charset=utf-8']) {
        count += 1;
        const headers = { [name]: 'abc', 'content-type': type, 'webhook-id': `m${count}` };
        expect((await receiver.fetch(unsigned(headers))).status).toBe(204);
      }
    }
    expect(told).toHaveLength(6);
    const form = { 'a2a-notification-token': 'abc', 'content-type': 'text/plain' };
    expect((await receiver.fetch(unsigned(form))).status).toBe(415);
  });

  it('hands over once what comes again, also at the same time [rule:push.receiver-idempotent]', async () => {
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const { send } = receiving({
      onEvent: async () => {
        calls += 1;
        await gate.promise;
      },
    });
    const sending = [send(), send(), send({ timestamp: NOW / 1000 - 1 })];
    gate.resolve();
    expect(await Promise.all(sending)).toEqual([204, 204, 204]);
    expect(await send({ timestamp: NOW / 1000 + 5 })).toBe(204);
    expect(calls).toBe(1);
  });

  it('hands over in order: what is late came before, or is a replay', async () => {
    const { send, told } = receiving();
    for (const seq of [3, 5, 4, 5, 9, 1]) expect(await send({ id: `m${seq}x`, seq })).toBe(204);
    expect(told.map(({ seq }) => seq)).toEqual([3, 5, 9]);
    const other = statusBody('TASK_STATE_WORKING', 'task-2');
    expect(await send({ id: 'other', seq: 1, body: other })).toBe(204);
    expect(told).toHaveLength(4);
  });

  it('lets one event of a task wait for the one before, and no other task for it', async () => {
    const gate = Promise.withResolvers<void>();
    const firstBegan = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { send } = receiving({
      onEvent: async (_, { taskId, seq }) => {
        begun.push(`${taskId}/${seq}`);
        if (seq !== 1) return;
        firstBegan.resolve();
        await gate.promise;
      },
    });
    const first = send({ id: 'a', seq: 1 });
    // Signatures are checked on other threads: two requests at the same time may be through with it in any order.
    await firstBegan.promise;
    const second = send({ id: 'b', seq: 2 });
    await send({ id: 'c', seq: 7, body: statusBody('TASK_STATE_WORKING', 'task-2') });
    expect(begun).toEqual(['task-1/1', 'task-2/7']);
    gate.resolve();
    await Promise.all([first, second]);
    expect(begun).toEqual(['task-1/1', 'task-2/7', 'task-1/2']);
  });

  it('tells senders to come back where a handler never ends, and goes on with other tasks', async () => {
    const { send } = receiving({
      onEvent: (_, { taskId }) => (taskId === 'task-1' ? new Promise(() => undefined) : undefined),
    });
    // Sixteen may wait for a task; whichever comes last is told to come back.
    const sent = Array.from({ length: 17 }, (_, index) => send({ id: `m${index}` }));
    expect(await Promise.race(sent)).toBe(503);
    expect(await send({ id: 'other', body: statusBody('TASK_STATE_WORKING', 'task-2') })).toBe(204);
  });

  it('responds with 500 where the handler throws, and hands the event over when it comes again', async () => {
    const failures: unknown[] = [];
    let isBroken = true;
    const told: string[] = [];
    const { send, receiver } = receiving({
      onEvent: (_, { id }) => {
        if (isBroken) throw new Error('the database at db.internal is down');
        told.push(id);
      },
      onError: (error, received) => failures.push([error, received?.id]),
    });
    const response = await receiver.fetch(await request());
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('db.internal');
    expect(failures).toEqual([[expect.objectContaining({ message: expect.stringContaining('db.internal') }), 'msg_1']]);
    isBroken = false;
    expect(await send()).toBe(204);
    expect(told).toEqual(['msg_1']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', (): unknown => Promise.reject(new Error('broken'))],
  ])('responds although a listener %s', async (_, broken) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => logged.mockRestore());
    const { send } = receiving({ onRefused: broken, onError: broken, onEvent: broken });
    expect(await send({ secrets: [OTHER_SECRET] })).toBe(401);
    expect(await send()).toBe(500);
    expect(logged).toHaveBeenCalledTimes(2);
  });

  it('tells what was refused', async () => {
    const codes: string[] = [];
    const { send, receiver } = receiving({ onRefused: ({ code }) => codes.push(code) });
    const response = await receiver.fetch(await request({ secrets: [OTHER_SECRET] }));
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      status: 401,
      title: 'No signature in webhook-signature is right',
      code: 'WRONG_SIGNATURE',
    });
    await send({ body: '[]' });
    expect(codes).toEqual(['WRONG_SIGNATURE', 'INVALID_BODY']);
  });

  it('keeps two chunks that are alike where the sender has no ids, and one status', async () => {
    const { receiver, told } = receiving({ secret: undefined, token: 'abc' });
    const artifact = { artifactId: 'a', parts: [{ text: 'ha' }] };
    const chunk = JSON.stringify({ artifactUpdate: { taskId: 't', contextId: 'c', artifact, append: true } });
    const headers = { 'x-a2a-notification-token': 'abc' };
    for (const body of [chunk, chunk, statusBody(), statusBody()]) await receiver.fetch(unsigned(headers, body));
    expect(told.map(({ event }) => event.kind)).toEqual(['artifact', 'artifact', 'status']);
  });

  it('asks a store of yours, which may outlive it', async () => {
    const kept = new Set<string>();
    const store = {
      isHandled: async ({ id }: PushKey) => kept.has(id),
      remember: async ({ id }: PushKey) => void kept.add(id),
    };
    const before = receiving({ store });
    await before.send();
    const after = receiving({ store });
    expect(await after.send()).toBe(204);
    expect(await after.send({ id: 'msg_2' })).toBe(204);
    expect([before.told.length, after.told.length]).toEqual([1, 1]);
  });

  it('forgets the oldest where its memory is full', () => {
    const recent = new RecentPushes(3);
    for (let seq = 1; seq <= 5; seq += 1) recent.remember({ id: `m${seq}`, taskId: `t${seq}`, seq });
    const handled = [1, 2, 3, 4, 5].map((seq) => recent.isHandled({ id: `m${seq}`, taskId: `t${seq}`, seq }));
    expect(handled).toEqual([false, false, true, true, true]);
    recent.remember({ id: 'm6', taskId: 't3', seq: 9 });
    recent.remember({ id: 'm7', taskId: 't7', seq: 1 });
    // A task that goes on is not forgotten for being old.
    expect(recent.isHandled({ id: 'x', taskId: 't3', seq: 8 })).toBe(true);
    expect(recent.isHandled({ id: 'x', taskId: 't4', seq: 1 })).toBe(false);
  });

  it.each([
    [{ secret: undefined }, 'pushReceiver needs one of secret, publicKey, jwksUrl, token, authorization'],
    [{ token: '' }, 'token must be a text that is not empty'],
    [{ authorization: [] }, 'authorization must be a text that is not empty'],
    [{ onEvent: undefined }, 'pushReceiver needs onEvent'],
  ])('is refused with options that are wrong: %j', (options, problem) => {
    expect(() => receiving(options as Partial<PushReceiverOptions>)).toThrow(problem);
  });
});

describe('a receiver on Node', () => {
  async function post(listener: RequestListener, sent: Sent = {}, send = fetch): Promise<Response> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { headers, body } = await notification(sent);
      const { port } = server.address() as AddressInfo;
      return await send(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body: body as string });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('is a listener of node:http', async () => {
    const { receiver, told } = receiving();
    expect((await post((incoming, outgoing) => void receiver.node(incoming, outgoing))).status).toBe(204);
    expect(told).toHaveLength(1);
    const large = receiving({ bodyBytes: 10 });
    const refused = await post((incoming, outgoing) => void large.receiver.node(incoming, outgoing));
    expect(refused.status).toBe(413);
  });

  it('is a route of Express, also behind a parser of raw bodies', async () => {
    for (const parsers of [[], [express.raw({ type: () => true })], [express.text({ type: () => true })]]) {
      const { receiver, told } = receiving();
      const app = express().post('/hook', ...parsers, receiver.node);
      expect((await post(app)).status).toBe(204);
      expect(told).toHaveLength(1);
    }
  });

  it('reads the body where a parser before it took it for none of its own', async () => {
    const { receiver, told } = receiving();
    const app = express4().use(express4.json()).post('/hook', receiver.node);
    expect((await post(app)).status).toBe(204);
    expect(told).toHaveLength(1);
  });

  it('takes a body that is cut off for no failure of its own', async () => {
    const errors: unknown[] = [];
    const refused = Promise.withResolvers<string>();
    const onRefused = ({ code }: { readonly code: string }) => refused.resolve(code);
    const { receiver } = receiving({ onError: (error) => errors.push(error), onRefused });
    const { headers } = await notification();
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('{');
      throw new Error('aborted');
    }
    const incoming = Object.assign(cut(), { method: 'POST', headers });
    await receiver.node(incoming, { statusCode: 0, setHeader: () => undefined, end: () => undefined });
    expect(await refused.promise).toBe('INVALID_BODY');
    expect(errors).toEqual([]);
  });

  it('says behind a parser of JSON that the body must be raw', async () => {
    const errors: unknown[] = [];
    const { receiver } = receiving({ onError: (error) => errors.push(error) });
    const app = express().post('/hook', express.json({ type: () => true }), receiver.node);
    expect((await post(app)).status).toBe(500);
    expect(String(errors)).toContain('The body must be raw');
  });
});
