import type { BusReply } from '../../engine/ports.ts';
import { TooLate } from '../store-contract/patience.ts';
import type { TestRunner } from '../store-contract/runner.ts';
import { type BusTestBed, FIRST, SECOND } from './bus-test-bed.ts';

const COMMAND = { text: 'é\u0000😀', numbers: [0, -1.5, 1e21], nested: { empty: {}, none: null, yes: true }, list: [] };
const GONE: BusReply = { kind: 'gone' };

export function describeRequests({ describe, it, expect }: TestRunner, bed: () => BusTestBed): void {
  const never = () => new AbortController().signal;
  const request = (node: string, command: unknown = COMMAND, signal = never()) =>
    bed().first.request(node, command, signal);

  /** Gives the second node another handler. */
  const handleWith = async (handle: (command: unknown) => Promise<unknown>) => {
    await bed().second.leave(SECOND);
    await bed().second.join(SECOND, handle);
  };

  describe('requests', () => {
    it('bring a command to a node and its response back, as they are', async () => {
      expect(await request(SECOND)).toEqual({ kind: 'answered', value: { node: SECOND, command: COMMAND } });
      const back = await bed().second.request(FIRST, 'hi', never());
      expect(back).toEqual({ kind: 'answered', value: { node: FIRST, command: 'hi' } });
    });

    it('give the handler a copy, and the caller one', async () => {
      const command = { list: ['a'] };
      const response = { list: ['b'] };
      let given: unknown;
      await handleWith(async (value) => {
        given = value;
        return response;
      });
      const reply = await request(SECOND, command);
      expect(given === command).toBe(false);
      expect(given).toEqual(command);
      expect(reply).toEqual({ kind: 'answered', value: response });
      expect(reply.kind === 'answered' && reply.value === response).toBe(false);
    });

    it('do not wait for each other', async () => {
      const first = Promise.withResolvers<unknown>();
      await handleWith((command) => (command === 'slow' ? first.promise : Promise.resolve('quick')));
      const slow = request(SECOND, 'slow');
      expect(await request(SECOND, 'fast')).toEqual({ kind: 'answered', value: 'quick' });
      first.resolve('late');
      expect(await slow).toEqual({ kind: 'answered', value: 'late' });
    });

    it('are gone where there is no such node', async () => {
      expect(await request('nobody')).toEqual(GONE);
      await bed().second.leave(SECOND);
      expect(await request(SECOND)).toEqual(GONE);
    });

    it('are gone when the node leaves before it responds', async () => {
      const asked = Promise.withResolvers<void>();
      await handleWith(() => {
        asked.resolve();
        return new Promise(() => {});
      });
      const waiting = request(SECOND);
      await bed().isAsked(asked.promise);
      await bed().second.leave(SECOND);
      expect(await waiting).toEqual(GONE);
    });

    it('reach a node that has come back', async () => {
      await bed().second.leave(SECOND);
      await bed().second.join(SECOND, async () => 'back');
      expect(await request(SECOND)).toEqual({ kind: 'answered', value: 'back' });
    });

    it('are rejected where the handler fails', async () => {
      await handleWith(async () => Promise.reject(new Error('broken')));
      expect(await isRejected(request(SECOND))).toBe(true);
      await handleWith(async () => 'mended');
      expect(await request(SECOND)).toEqual({ kind: 'answered', value: 'mended' });
    });

    it('are rejected with the reason of their signal, before and while they wait', async () => {
      const reason = new Error('too late');
      expect(await rejection(request(SECOND, COMMAND, AbortSignal.abort(reason)))).toBe(reason);
      const asked = Promise.withResolvers<void>();
      const response = Promise.withResolvers<unknown>();
      await handleWith(() => {
        asked.resolve();
        return response.promise;
      });
      const abort = new AbortController();
      const waiting = rejection(request(SECOND, COMMAND, abort.signal));
      await bed().isAsked(asked.promise);
      abort.abort(reason);
      expect(await waiting).toBe(reason);
      response.resolve('nobody waits');
    });
  });
}

function isRejected(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    (error: unknown) => {
      if (error instanceof TooLate) throw error;
      return true;
    },
  );
}

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
