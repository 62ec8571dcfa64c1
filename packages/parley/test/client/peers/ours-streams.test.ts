import { A2AClient, collect, type StreamEvent, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { clientOf } from '../support/recorded.ts';

describe('a stream', () => {
  const counting = () =>
    agentOf(async function* () {
      for (let index = 0; index < 10; index += 1) yield `${index}`;
    });

  it('sends nothing until somebody wants something of it', async () => {
    const { server } = startServer(counting());
    const { agent, sent } = await clientOf(server);
    agent.sendMessageStream('go');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toHaveLength(1);
  });

  it('has everything for its first reader, and the task so far for later ones', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    const task = await stream.task;
    let streamed = '';
    for await (const piece of stream.textStream) streamed += piece;
    expect(streamed).toBe('0123456789');
    const late: StreamEvent[] = [];
    for await (const event of stream) late.push(event);
    expect(late).toEqual([{ kind: 'task', task, text: '0123456789' }]);
    let again = '';
    for await (const piece of stream.textStream) again += piece;
    expect(again).toBe('0123456789');
  });

  it('serves several readers at their own pace', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    const read = async (pause: number) => {
      const kinds: string[] = [];
      for await (const { kind } of stream) {
        kinds.push(kind);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return kinds;
    };
    const [slow, quick] = await Promise.all([read(2), read(0)]);
    expect(slow).toEqual(quick);
  });

  it('waits for its reader', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const iterator = agent.sendMessageStream('go')[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { kind: 'task' } });
    // Asking for the task with a reader that stands still does not wait for it.
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('closes its connection when it is left, and the task goes on', async () => {
    const { promise, resolve } = gate();
    const { server } = startServer(
      agentOf(async function* () {
        yield 'one';
        await promise;
        yield ' two';
      }),
    );
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    for await (const event of stream) if (event.kind === 'artifact') break;
    await expect.poll(() => server.load.subscriptions).toBe(0);
    await expect(stream.task).rejects.toMatchObject({
      code: 'STREAM_INTERRUPTED',
      received: { artifacts: [{ parts: [{ text: 'one' }] }] },
    });
    resolve();
    await expect.poll(async () => textOf(await agent.getTask(await stream.id))).toBe('one two');
  });

  it('closes it also where an interceptor stands in between', async () => {
    const { server } = startServer(agentOf(hang));
    async function* passedOn(stream: AsyncIterable<unknown>) {
      for await (const event of stream) yield event;
    }
    const { agent } = await clientOf(server, {
      interceptors: [async (call, next) => passedOn((await next(call)) as AsyncIterable<unknown>)],
    });
    for await (const _ of agent.sendMessageStream('go')) break;
    await expect.poll(() => server.load.subscriptions).toBe(0);
  });

  it('goes on for whoever waits for the task, though a reader left', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    const done = stream.task;
    for await (const event of stream) if (event.kind === 'artifact') break;
    expect(textOf(await done)).toBe('0123456789');
  });

  it('leaves no rejection behind that nobody asked for', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const agent = new A2AClient('http://127.0.0.1:9', { retry: false, reconnect: false });
    const stream = agent.sendMessageStream('go');
    void stream.id;
    void stream.task;
    await expect(stream.result).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await expect(collect(agent.sendMessageStream('go')).next()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const reading = agent.sendMessageStream('go').textStream[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  });

  it('collects to what the server has', async () => {
    const { server } = startServer(counting());
    const { agent } = await clientOf(server);
    let last: unknown;
    for await (const task of collect(agent.sendMessageStream('go'))) last = task;
    expect(last).toEqual(await agent.getTask((last as { id: string }).id));
  });

  it('is there for agents that do not stream', async () => {
    const { server } = startServer(agentOf(() => 'done', { streaming: false }));
    const { agent } = await clientOf(server);
    const stream = agent.sendMessageStream('go');
    const kinds: string[] = [];
    for await (const { kind } of stream) kinds.push(kind);
    expect(kinds).toEqual(['task']);
    expect(textOf(await stream.task)).toBe('done');
    expect(await agent.run('go')).toBe('done');
  });
});
