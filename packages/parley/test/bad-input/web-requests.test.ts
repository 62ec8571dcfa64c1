import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FORMS } from './support/all-forms.ts';
import { postTo, requestOf, sendBody } from './support/forms.ts';
import { startSubject } from './support/subject.ts';

const NOTHING = { tasks: 0, feeds: 0, subscriptions: 0 };

/** A body that comes in pieces and then breaks off. */
function brokenBody(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.error(new Error('the client is gone'));
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
}

describe.each(FORMS)('$name', (form) => {
  it('answers a web request whose body breaks off with an error, and does not throw [rule:errors.validate-first]', async () => {
    const subject = startSubject();
    const { url, headers } = postTo(form, '');
    for (const pieces of [[], ['{'], [sendBody(form)]]) {
      const init = { method: 'POST', headers, body: brokenBody(pieces), duplex: 'half' as const };
      const response = await subject.server.fetch(new Request(url, init));
      // In JSON-RPC an error that comes from the binding travels with 200.
      expect([200, 400, 499]).toContain(response.status);
      expect(await response.text()).not.toContain('"result"');
    }
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it('reads a web request whose body comes in pieces', async () => {
    const subject = startSubject();
    const { url, headers } = postTo(form, '');
    const bytes = [...new TextEncoder().encode(sendBody(form).replace('hello', 'grün 🙂'))];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const byte = bytes.shift();
        if (byte === undefined) controller.close();
        else controller.enqueue(Uint8Array.of(byte));
      },
    });
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    const response = await subject.server.fetch(new Request(url, init));
    expect(await response.text()).toContain('grün 🙂');
  });

  it('frees the stream of a request that was given up before it was answered', async () => {
    const subject = startSubject();
    const { id } = await subject.peer.send('ask');
    for (const wait of [0, 1, 2, 5]) {
      const gone = new AbortController();
      const asked = subject.server.fetch(
        new Request(requestOf(form, 'subscribeToTask', { id }), { signal: gone.signal }),
      );
      for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
      gone.abort();
      await asked.catch((error: unknown) => expect((error as Error).name).toBe('AbortError'));
    }
    await eventually(() => subject.server.load).toEqual(NOTHING);
    await subject.expectHealthy();
  });
});
