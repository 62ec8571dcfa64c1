import { describe, expect, it } from 'vitest';
import { against, errorsOf, TASK } from './support/against.ts';
import { CALL, callerOf, collected, errorOf, WAYS } from './support/callers.ts';
import { answering, type Handler } from './support/hostile-server.ts';

const HTML = '<!doctype html><html><body><h1>Oh no</h1></body></html>';

describe.each(WAYS)('whatever a server answers to $version over $binding', (way) => {
  it.each([
    ['a page with 200', 200, 'text/html', HTML, 'INVALID_RESPONSE', /text\/html.*Oh no/],
    ['a page with 404', 404, 'text/html', HTML, 'INVALID_RESPONSE', /404.*text\/html/],
    ['a page with 500', 500, 'text/html', HTML, 'INVALID_RESPONSE', /500.*text\/html/],
    ['a page with 401', 401, 'text/html', HTML, 'UNAUTHENTICATED', /401/],
    ['a page with 403', 403, 'text/html', HTML, 'PERMISSION_DENIED', /403/],
    ['a page with 429', 429, 'text/html', HTML, 'OVERLOADED', /429/],
    ['a page with 502', 502, 'text/html', HTML, 'UNAVAILABLE', /502/],
    ['a page with 503', 503, 'text/html', HTML, 'UNAVAILABLE', /503/],
    ['a page with 504', 504, undefined, HTML, 'UNAVAILABLE', /504/],
    ['truncated JSON', 200, 'application/json', '{"jsonrpc":"2.0","id":1,"resu', 'INVALID_RESPONSE', /not valid JSON/],
    ['no body', 200, 'application/json', '', 'INVALID_RESPONSE', /empty/],
    ['a text', 200, 'application/json', '"ok"', 'INVALID_RESPONSE', /./],
    ['null', 200, 'application/json', 'null', 'INVALID_RESPONSE', /./],
    ['a list', 200, 'application/json', '[]', 'INVALID_RESPONSE', /./],
    ['an empty object', 200, 'application/json', '{}', 'INVALID_RESPONSE', /./],
    ['a redirect', 302, 'text/plain', '', 'INVALID_RESPONSE', /redirect/],
  ])('%s is an error that names it', async (_, status, type, body, code, message) => {
    for (const error of await errorsOf(way, answering(status, type, body))) {
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
      if (code !== 'INVALID_RESPONSE' || status !== 200) expect(error.httpStatus).toBe(status);
    }
  });

  it('a body without an end is read to the limit only', async () => {
    let written = 0;
    const handler: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = Buffer.alloc(16_384, ' ');
      const write = () => {
        while (!response.destroyed && response.write(piece)) written += piece.length;
        written += piece.length;
      };
      response.on('drain', write);
      write();
    };
    for (const error of await errorsOf(way, handler, { bodyBytes: 100_000 })) {
      expect(error).toMatchObject({ code: 'INVALID_RESPONSE' });
      expect(error.message).toContain('100000 bytes');
    }
    // What sockets hold on both sides comes on top of the limits.
    expect(written).toBeLessThan(20_000_000);
  });

  it('a stream without an end or an event is read to the limit only', async () => {
    const handler: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=iso-8859-1' });
      const piece = `data: ${'x'.repeat(8192)}`;
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    };
    const caller = await against(way, handler, { eventBytes: 50_000 });
    const error = await errorOf(collected(caller.stream('subscribeToTask', TASK, CALL)));
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE' });
    expect(error.message).toContain('50000 bytes');
  });

  it('a connection that breaks in the middle of the body is told', async () => {
    const handler: Handler = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc":');
      setTimeout(() => response.destroy(), 10);
    };
    for (const error of await errorsOf(way, handler)) expect(error.code).toBe('UNREACHABLE');
  });

  it('nobody there is told with the reason', async () => {
    const caller = callerOf(way, { fetch, url: 'http://127.0.0.1:1/a2a' });
    const error = await errorOf(caller.unary('getTask', TASK, CALL));
    expect(error.code).toBe('UNREACHABLE');
    expect(error.message).toContain('127.0.0.1:1');
    expect(error.message).toMatch(/ECONNREFUSED|bad port/);
  });

  it('an abort throws its own reason, before, while and after the answer begins', async () => {
    const silent = await against(way, () => {});
    const reason = new Error('enough');
    await expect(silent.unary('getTask', TASK, { headers: {}, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const waiting = silent.unary('getTask', TASK, { headers: {}, signal: controller.signal });
    const streaming = silent.stream('subscribeToTask', TASK, { headers: {}, signal: controller.signal });
    const outcomes = Promise.allSettled([waiting, streaming]);
    setTimeout(() => controller.abort(reason), 20);
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      reason,
      reason,
    ]);

    const half = await against(way, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    const later = new AbortController();
    const reading = half.unary('getTask', TASK, { headers: {}, signal: later.signal });
    setTimeout(() => later.abort(reason), 20);
    await expect(reading).rejects.toBe(reason);
  });

  it('a header that HTTP cannot carry is refused', async () => {
    const caller = await against(way, () => {});
    const error = await errorOf(caller.unary('getTask', TASK, { headers: { 'x-bad': 'a\nb' }, signal: undefined }));
    expect(error.code).toBe('INVALID_PARAMS');
  });

  it('how long to wait may be a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const caller = await against(way, (response) => {
      response.writeHead(503, { 'retry-after': date });
      response.end();
    });
    const { retryAfter } = await errorOf(caller.unary('getTask', TASK, CALL));
    expect(retryAfter).toBeGreaterThan(50_000);
    expect(retryAfter).toBeLessThanOrEqual(60_000);
  });
});
