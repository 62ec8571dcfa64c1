import { describe, expect, it } from 'vitest';
import { Random } from '../crash/load/random.ts';
import { seedOf } from '../crash/load/seed.ts';
import { eventually } from '../support/eventually.ts';
import { badReader } from './bad-readers.ts';
import { handlesOf, MEGABYTE, whenAlone } from './held.ts';
import { MeasuredServer } from './server.ts';
import { SocketReader } from './socket-reader.ts';

const seed = seedOf();
const VOLUME = { chunks: 2_500, size: 4_096 };

describe(`a reader that vanishes without closing, seed ${seed}`, () => {
  it('from an idle stream costs a connection and no more, until the line says so [rule:stream.close-one]', async () => {
    const server = await MeasuredServer.start('memory', { keepAlive: 2 });
    const taskId = await server.newTask(VOLUME);
    const before = await whenAlone(server);
    const gone = await badReader('vanishes', server, new Random(seed, 1), { taskId });
    gone.reader.destroy();
    const stays = new SocketReader({ url: server.url, taskId });
    // Comments that nobody gets are written as they are for the one that stays.
    await stays.until(() => stays.comments >= 200);
    stays.destroy();
    await eventually(async () => (await server.report()).load.subscriptions).toBe(1);
    const during = await server.collected();
    expect(during.held - before.held).toBeLessThan(MEGABYTE / 2);
    expect(during.resources.TCPSocketWrap).toBe(1);
    gone.cut();
    await eventually(async () => handlesOf(await server.report())).toEqual(handlesOf(before));
  });

  it('is disconnected once it has read nothing for a while, and only then [rule:stream.limit]', async () => {
    const server = await MeasuredServer.start('memory', { stallTimeout: 600 });
    const taskId = await server.newTask(VOLUME);
    const gone = await badReader('vanishes', server, new Random(seed, 3), { taskId });
    await server.go();
    await gone.turnBad();
    const idle = new SocketReader({ url: server.url, taskId: await server.newTask(VOLUME) });
    await idle.until(() => idle.frames.length > 0);
    await eventually(async () => (await server.report()).resources.TCPSocketWrap).toBe(1);
    expect((await server.report()).load.subscriptions).toBe(1);
    idle.destroy();
    await eventually(async () => (await server.report()).resources.TCPSocketWrap).toBeUndefined();
  });

  describe('is disconnected by the stream limit', () => {
    const STREAM_TIMEOUT = 1_500;

    /** Nothing comes from the reader any more: what the server lets go, it lets go by itself. */
    async function expectDisconnected(state: 'idle' | 'blocked'): Promise<void> {
      const server = await MeasuredServer.start('memory', { streamTimeout: STREAM_TIMEOUT });
      const taskId = await server.newTask(VOLUME);
      const gone = await badReader('vanishes', server, new Random(seed, 2), { taskId });
      if (state === 'blocked') {
        await server.go();
        await gone.turnBad();
      }
      await eventually(async () => (await server.report()).load.subscriptions).toBe(0);
      const sockets = async () => (await server.report()).resources.TCPSocketWrap;
      await eventually(sockets).toBeUndefined();
    }

    it('while the stream is idle [rule:stream.limit]', () => expectDisconnected('idle'));

    it('while the stream waits for it to read [rule:stream.limit]', () => expectDisconnected('blocked'));
  });
});
