import { A2AError, A2AServer } from 'parley-a2a';
import type { BindingResponse, ServerBinding } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { agentOf } from '../support/script.ts';

type Respond = () => unknown;

/** A server with a binding that responds with anything, and a request to it. */
async function serving(respond: Respond, way: string) {
  const errors: unknown[] = [];
  const error = (_: string, details?: Readonly<Record<string, unknown>>) => void errors.push(details?.error);
  const binding: ServerBinding = {
    protocolBinding: 'urn:example:any',
    path: '/any',
    serve: () => ({
      handle: () => respond() as BindingResponse,
      refuse: (_, thrown) => ({
        status: A2AError.from(thrown).code === 'INTERNAL' ? 500 : 400,
        headers: {},
        body: '{}',
      }),
    }),
  };
  const server = new A2AServer({
    agents: [agentOf(() => 'done')],
    bindings: [binding],
    log: { error, warn: () => {} },
  });
  onTestFinished(() => server.close());
  if (way === 'a socket') await server.listen({ port: 0 });
  const address = way === 'a socket' ? server.url : 'http://localhost';
  const send = way === 'a socket' ? fetch : (request: Request) => server.fetch(request);
  return { errors, ask: () => send(new Request(`${address}/a2a/any`, { method: 'POST', body: '{}' })) };
}

const OK = { status: 200, headers: {} };

describe.each(['a socket', 'fetch'])('a response of a binding of our own, over %s', (way) => {
  it('may have an async iterable as its body', async () => {
    const body = async function* () {
      yield 'one ';
      yield '';
      await new Promise((resolve) => setImmediate(resolve));
      yield new TextEncoder().encode('two ');
      yield 'three';
    };
    const { ask } = await serving(() => ({ ...OK, body: body() }), way);
    expect(await (await ask()).text()).toBe('one two three');
  });

  it('frees the iterable where its reader leaves', async () => {
    let isFree = false;
    const body = async function* () {
      try {
        for (;;) {
          yield 'more ';
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isFree = true;
      }
    };
    const { ask } = await serving(() => ({ ...OK, body: body() }), way);
    const reader = (await ask()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await eventually(() => isFree).toBe(true);
  });

  it.each([
    [
      'throws',
      async function* () {
        yield 'one';
        throw new Error('The source is away');
      },
      'The source is away',
    ],
    [
      'yields a number',
      async function* () {
        yield 'one';
        yield 5;
      },
      'A body must yield texts or bytes, not a number',
    ],
  ])('breaks off where the iterable %s, and the log has the reason', async (_, body, reason) => {
    const { ask, errors } = await serving(() => ({ ...OK, body: body() }), way);
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    expect(errors.map(String)).toEqual([expect.stringContaining(reason)]);
  });

  it.each<[unknown, string]>([
    [undefined, 'must have a status, headers and a body'],
    [{ headers: {}, body: 'x' }, 'must have a status from 200 to 599, not undefined'],
    [{ status: 42, headers: {}, body: 'x' }, 'must have a status from 200 to 599, not 42'],
    [{ status: 200, body: 'x' }, 'must have headers'],
    [{ status: 200, headers: { 'x-count': 5 }, body: 'x' }, 'must have headers whose values are texts'],
    [{ ...OK, body: 5 }, 'must have a body that is a text, a stream or an async iterable'],
    [{ ...OK, body: {} }, 'must have a body that'],
    [{ ...OK, body: ['x'] }, 'must have a body that'],
    [{ ...OK, body: () => 'x' }, 'must have a body that'],
  ])('that is none is an internal error, and the log has the reason (%#)', async (response, reason) => {
    const { ask, errors } = await serving(() => response, way);
    expect((await ask()).status).toBe(500);
    expect(errors.map(String)).toEqual([expect.stringContaining(reason)]);
  });

  it('may have no body', async () => {
    const { ask } = await serving(() => ({ status: 204, headers: {}, body: null }), way);
    expect((await ask()).status).toBe(204);
  });
});
