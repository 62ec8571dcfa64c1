import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';
import { A2AClient, A2AServer, type ClientOptions, defineAgent, reply, textOf } from 'parley-a2a';
import { validated } from 'parley-a2a/auth';
import { A2AClient as SmallClient } from 'parley-a2a/client';
import { grpc } from 'parley-a2a/grpc';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gate } from '../support/script.ts';

const held = new Map<string, ReturnType<typeof gate>>();
const gateOf = (name: string) => {
  const known = held.get(name) ?? gate();
  held.set(name, known);
  return known;
};

const worker = defineAgent({
  name: 'worker',
  description: 'Does what it is told',
  version: '1.0.0',
  async *run(task) {
    const [verb = '', name = ''] = task.text.split(' ');
    if (verb === 'reply') return reply('Hello');
    if (verb === 'ask') return yield `You said ${await task.ask('What?')}`;
    if (verb === 'big') return yield 'x'.repeat(300_000);
    for (const word of ['one ', 'two ', 'three']) {
      yield word;
      if (verb === 'hold' && word === 'two ') await gateOf(name).promise;
    }
    return undefined;
  },
});

let server: A2AServer;
beforeAll(async () => {
  server = new A2AServer({ agents: [worker], drainTimeout: 0, grpc: { port: 0 } });
  await server.listen({ port: 0 });
});
afterAll(() => server.close());

const quick = {
  retry: { firstDelay: 1, longestDelay: 20 },
  reconnect: { firstDelay: 1, longestDelay: 20, attempts: 50 },
};
const connect = (version: '1.0' | '0.3', options: ClientOptions = {}) =>
  A2AClient.connect(server.url ?? '', { prefer: { version, binding: 'GRPC' }, ...quick, ...options });

describe.each(['1.0', '0.3'] as const)('our client and our server over gRPC, in %s', (version) => {
  it('sends, streams, asks, gets, cancels and subscribes [rule:version.grpc-metadata]', async () => {
    const agent = await connect(version);
    expect(agent.interface).toMatchObject({ protocolBinding: 'GRPC', protocolVersion: version });
    expect(await agent.run('say')).toBe('one two three');
    expect(textOf(await agent.sendMessage('reply'))).toBe('Hello');
    const stream = agent.sendMessageStream('say');
    let text = '';
    for await (const piece of stream.textStream) text += piece;
    expect(text).toBe('one two three');
    const task = await stream.task;
    const got = await agent.getTask(task.id);
    expect(got).toEqual(await (await A2AClient.connect(server.url ?? '')).getTask(task.id));
    expect((await agent.getTask(task.id, 0)).history).toEqual([]);
    const asked = await agent.sendMessageStream('ask').task;
    expect(asked.status.state).toBe('input-required');
    const answered = await agent.sendMessageStream('me', { taskId: asked.id }).task;
    expect(textOf(answered)).toContain('You said me');
    const running = agent.sendMessageStream(`hold cancel-${version}`);
    const id = await running.id;
    const followed = agent.subscribe(id)[Symbol.asyncIterator]();
    await followed.next();
    expect((await agent.cancelTask(id)).status.state).toBe('canceled');
    for (let step = await followed.next(); !step.done; step = await followed.next());
    await expect(running.result).resolves.toMatchObject({ status: { state: 'canceled' } });
  });

  it('keeps webhooks', async () => {
    const agent = await connect(version);
    const { id } = (await agent.sendMessage('say')) as { id: string };
    const config = { id: 'hook', url: 'https://93.184.216.34/a', token: 'secret' };
    const stored = await agent.createPushConfig(id, config).catch((error: unknown) => error);
    if (stored instanceof Error) {
      expect(stored).toMatchObject({ code: 'PUSH_NOTIFICATION_NOT_SUPPORTED' });
      return;
    }
    expect(await agent.getPushConfig(id, 'hook')).toMatchObject({ id: 'hook', url: config.url });
    expect((await agent.listPushConfigs(id)).configs).toHaveLength(1);
    await agent.deletePushConfig(id, 'hook');
    expect((await agent.listPushConfigs(id)).configs).toEqual([]);
  });

  it('tells errors by their reason [rule:errors.info]', async () => {
    const agent = await connect(version);
    await expect(agent.getTask('unknown')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(agent.cancelTask('unknown')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(agent.sendMessage('say', { taskId: 'unknown' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(agent.subscribe('unknown').task).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    const { id } = (await agent.sendMessage('say')) as { id: string };
    await expect(agent.cancelTask(id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    const bad = agent.getTask(id, -1);
    await expect(bad).rejects.toMatchObject({ code: 'INVALID_PARAMS', violations: [expect.anything()] });
    const list = Promise.resolve(agent.listTasks());
    if (version === '0.3') await expect(list).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    else expect((await list).tasks.length).toBeGreaterThan(0);
  });

  it('goes on where a connection was cut, without a loss or a repeat', async () => {
    const line = await cuttable(server.grpcAddress ?? '');
    const name = `cut-${version}`;
    const card = { ...(await connect(version)).card };
    const interfaces = [{ url: line.address, protocolBinding: 'GRPC', protocolVersion: version }];
    let reconnects = 0;
    const agent = new A2AClient({ ...card, interfaces } as never, {
      ...quick,
      onReconnect: () => {
        reconnects += 1;
        // The connection is made anew before the agent goes on.
        if (reconnects === 1) gateOf(name).resolve(undefined);
      },
    });
    const stream = agent.sendMessageStream(`hold ${name}`);
    let text = '';
    for await (const piece of stream.textStream) {
      text += piece;
      if (text === 'one two ') line.cut();
    }
    expect(text).toBe('one two three');
    expect(reconnects).toBeGreaterThan(0);
    expect((await stream.task).metadata).toBeUndefined();
  });

  it('is left by a signal, and the task goes on', async () => {
    const agent = await connect(version);
    const leaving = new AbortController();
    const stream = agent.sendMessageStream(`hold left-${version}`, { signal: leaving.signal });
    const id = await stream.id;
    leaving.abort(new Error('enough'));
    await expect(stream.result).rejects.toThrow('enough');
    await expect.poll(() => server.load.subscriptions).toBe(0);
    gateOf(`left-${version}`).resolve(undefined);
    await expect.poll(async () => (await agent.getTask(id)).status.state).toBe('completed');
  });

  it('has a time limit, which the server is told', async () => {
    const agent = await connect(version);
    const never = agent.sendMessage(`hold never-${version}`, { timeout: 300 });
    await expect(never).rejects.toMatchObject({ code: 'TIMEOUT' });
    gateOf(`never-${version}`).resolve(undefined);
  });

  it('reads no more than it may', async () => {
    const limits = { bodyBytes: 100_000, eventBytes: 100_000 };
    const agent = await connect(version, { limits, reconnect: false });
    await expect(agent.sendMessage('big')).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    const stream = agent.sendMessageStream('big');
    await expect(stream.result).rejects.toMatchObject({ code: expect.stringMatching(/^(INVALID_RESPONSE|STREAM)/) });
  });
});

describe('a client', () => {
  it('takes gRPC where it is told to, or where the card has nothing else', async () => {
    const url = server.url ?? '';
    expect((await A2AClient.connect(url)).interface?.protocolBinding).toBe('JSONRPC');
    const { card } = await A2AClient.connect(url);
    const only = { ...card, interfaces: card?.interfaces.filter(({ protocolBinding }) => protocolBinding === 'GRPC') };
    const agent = new A2AClient(only as never);
    expect(await agent.run('say')).toBe('one two three');
    expect(agent.interface?.protocolBinding).toBe('GRPC');
  });

  it('of parley-a2a/client is handed it', async () => {
    const options = { prefer: { binding: 'GRPC' } } as const;
    await expect(SmallClient.connect(server.url ?? '', options)).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    });
    const agent = await SmallClient.connect(server.url ?? '', { ...options, bindings: [grpc()] });
    expect(await agent.run('say')).toBe('one two three');
  });

  it('proves who it is, and is told to where it does not', async () => {
    const guarded = new A2AServer({
      agents: [worker],
      drainTimeout: 0,
      grpc: { port: 0 },
      auth: validated({ type: 'bearer', validate: (token) => token === 'secret' }),
    });
    await guarded.listen({ port: 0 });
    onTestFinished(() => guarded.close());
    const options = { prefer: { binding: 'GRPC' }, ...quick } as const;
    const url = guarded.url ?? '';
    const stranger = await A2AClient.connect(url, options);
    await expect(stranger.run('say')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const name = Object.keys(stranger.card?.securitySchemes ?? {})[0] ?? '';
    const friend = await A2AClient.connect(url, { ...options, credentials: { [name]: 'secret' } });
    expect(await friend.run('say')).toBe('one two three');
    const seen: unknown[] = [];
    const renewed = await A2AClient.connect(url, {
      ...options,
      credentials: ({ refused }) => {
        seen.push(refused);
        return refused === 'old' ? 'secret' : 'old';
      },
    });
    expect(await renewed.run('say')).toBe('one two three');
    expect(seen).toContain('old');
    const byHand = await A2AClient.connect(url, { ...options, headers: { authorization: 'Bearer secret' } });
    expect(await byHand.run('say')).toBe('one two three');
  });

  it('says that nobody is there, and takes another interface of the card', async () => {
    const { card } = await A2AClient.connect(server.url ?? '');
    const dead = { url: '127.0.0.1:1', protocolBinding: 'GRPC', protocolVersion: '1.0' };
    const alone = new A2AClient({ ...card, interfaces: [dead] } as never, { retry: false });
    await expect(alone.run('say')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('127.0.0.1:1'),
    });
    const live = card?.interfaces.filter(({ protocolBinding }) => protocolBinding === 'GRPC') ?? [];
    const both = new A2AClient({ ...card, interfaces: [dead, ...live] } as never, { retry: false });
    expect(await both.run('say')).toBe('one two three');
  });

  it('says that a server is none of gRPC', async () => {
    const { card } = await A2AClient.connect(server.url ?? '');
    const interfaces = [{ url: new URL(server.url ?? '').host, protocolBinding: 'GRPC', protocolVersion: '1.0' }];
    const agent = new A2AClient({ ...card, interfaces } as never, { retry: false });
    await expect(agent.getTask('t-1')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/: the port does not speak gRPC$/),
    });
  });

  it('refuses headers that gRPC cannot carry', async () => {
    const agent = await connect('1.0', { headers: { 'x-name': 'Zoë' } });
    await expect(agent.getTask('t-1')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});

interface Line {
  readonly address: string;
  cut(): void;
}

/** A line to a server that can be cut. */
async function cuttable(address: string): Promise<Line> {
  const { hostname, port } = new URL(`http://${address}`);
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const onward = dial(Number(port), hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => each.destroy());
      each.on('close', () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, cut };
}
