import { describe, expect, it } from 'vitest';
import { pause } from '../support/script.ts';
import { FORMS, newestOf } from './support/all-forms.ts';
import { expectRefusal } from './support/answers.ts';
import { type Form, sendBody } from './support/forms.ts';
import type { RawResponse } from './support/raw-socket.ts';
import { listenSubject, postHead } from './support/socket-subject.ts';

const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** A response as `expectRefusal` wants it. */
function webResponse({ status, headers, body }: RawResponse): Response {
  return new Response(body, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
}

describe.each(FORMS)('$name', (form: Form) => {
  const body = sendBody(form);
  const early = form.binding === 'jsonrpc' ? newestOf(form) : form;

  it('forgets a body whose sender goes away in the middle [rule:errors.validate-first]', async () => {
    const subject = await listenSubject();
    for (const length of [0, 1, Math.floor(body.length / 2), body.length - 1]) {
      const connection = await subject.connect();
      connection.write(postHead(form, [lengthOf(body)]) + body.slice(0, length));
      await pause(2);
      connection.socket.destroy();
      const chunked = await subject.connect();
      chunked.write(`${postHead(form, [CHUNKED])}${body.length.toString(16)}\r\n${body.slice(0, length)}`);
      await pause(2);
      chunked.socket.resetAndDestroy();
    }
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it('answers a sender that has closed its half of the connection', async () => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.socket.end(postHead(form, [lengthOf(body)]) + body);
    expect((await connection.response()).status).toBe(200);
    await subject.expectHealthy();
  });

  it('reads a body that comes byte by byte, in chunks of one byte, while others are served', async () => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(postHead(form, [CHUNKED]));
    for (const [index, byte] of [...Buffer.from(body)].entries()) {
      connection.socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
      if (index % 40 !== 0) continue;
      await pause(1);
      expect((await subject.peer.call('ListTasks')).totalSize).toBe(0);
    }
    connection.write('0\r\n\r\n');
    const response = await connection.response();
    expect(response.status).toBe(200);
    expect(response.body).toContain('hello');
    await subject.expectHealthy();
  });

  it('reads a character that is cut by the end of a packet [rule:parts.values]', async () => {
    const subject = await listenSubject();
    const bytes = Buffer.from(body.replace('hello', 'grün 🙂'));
    const connection = await subject.connect();
    connection.write(postHead(form, [`Content-Length: ${bytes.length}`]));
    for (const byte of bytes) {
      connection.socket.write(Buffer.from([byte]));
      if (byte > 127) await pause(1);
    }
    expect((await connection.response()).body).toContain('grün 🙂');
  });

  it('refuses a declared length beyond the limit before anything was sent [rule:security.limits] [rule:jsonrpc.http-status]', async () => {
    const subject = await listenSubject({ limits: { bodyBytes: 10_000 } });
    // At the same time: a connection is closed only after its client had a moment to read the response.
    await Promise.all(
      ['10001', '1000000000', '9007199254740993'].map(async (length) => {
        const connection = await subject.connect();
        connection.write(postHead(form, [`Content-Length: ${length}`]));
        const response = await connection.response();
        expect(response.status).toBe(413);
        await expectRefusal(early, webResponse(response), 'PAYLOAD_TOO_LARGE', [], null);
        expect(await connection.closed()).toBe(true);
      }),
    );
    await subject.expectNothingStarted();
  });

  it('refuses a body without a declared length as soon as it is too long [rule:security.limits]', async () => {
    const subject = await listenSubject({ limits: { bodyBytes: 10_000 } });
    const connection = await subject.connect();
    connection.write(`${postHead(form, [CHUNKED])}2711\r\n${'x'.repeat(10_001)}\r\n`);
    const response = await connection.response();
    await expectRefusal(early, webResponse(response), 'PAYLOAD_TOO_LARGE', [], null);
    expect(await connection.closed()).toBe(true);
    await subject.expectNothingStarted();
  });

  it('does not invite a body that it is going to refuse [rule:security.limits]', async () => {
    const subject = await listenSubject({ limits: { bodyBytes: 10_000 } });
    const connection = await subject.connect();
    connection.write(postHead(form, ['Content-Length: 10001', 'Expect: 100-continue']));
    expect((await connection.response()).status).toBe(413);
    await subject.expectNothingStarted();
  });

  it('invites a body whose sender waits for it', async () => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(postHead(form, [lengthOf(body), 'Expect: 100-continue']));
    expect((await connection.response()).status).toBe(100);
    connection.write(body);
    const response = await connection.response();
    expect(response.status).toBe(200);
    expect(response.body).toContain('hello');
    await subject.expectHealthy();
  });

  it('reads no more of a body than its declared length [rule:jsonrpc.parse] [rule:errors.validate-first]', async () => {
    const subject = await listenSubject();
    const connection = await subject.connect();
    connection.write(`${postHead(form, [`Content-Length: ${body.length - 2}`])}${body}`);
    // What is left over is no request, for which the connection is given up, before or after the answer to the first.
    expect([200, 400]).toContain((await connection.response()).status);
    expect(await connection.closed()).toBe(true);
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });
});

it.each([
  ['that is negative', ['Content-Length: -1']],
  ['that is no number', ['Content-Length: many']],
  ['with a sign', ['Content-Length: +5']],
  ['that is a fraction', ['Content-Length: 1.5']],
  ['that is given twice', ['Content-Length: 5', 'Content-Length: 6']],
  ['beside chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
])('a length %s is no HTTP: 400, and the connection is closed', async (_, lines) => {
  const subject = await listenSubject();
  for (const form of FORMS) {
    const connection = await subject.connect();
    connection.write(`${postHead(form, lines)}${sendBody(form)}`);
    expect((await connection.response()).status).toBe(400);
    expect(await connection.closed()).toBe(true);
  }
  await subject.expectNothingStarted();
  await subject.expectHealthy();
});

it.each([
  ['a size that is no number', 'x\r\nhello\r\n0\r\n\r\n'],
  ['a negative size', '-5\r\nhello\r\n0\r\n\r\n'],
  ['more than its size', '2\r\nhello\r\n0\r\n\r\n'],
  ['a size beyond all sizes', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
])('a chunk with %s is no HTTP: 400, and the connection is closed', async (_, chunks) => {
  const subject = await listenSubject();
  for (const form of FORMS) {
    const connection = await subject.connect();
    connection.write(`${postHead(form, [CHUNKED])}${chunks}`);
    expect((await connection.response()).status).toBe(400);
    expect(await connection.closed()).toBe(true);
  }
  await subject.expectNothingStarted();
  await subject.expectHealthy();
});
