import { describe, expect, it } from 'vitest';
import { FORMS, newestOf } from './support/all-forms.ts';
import { expectRefusal } from './support/answers.ts';
import { callings, postTo, requestOf, sendBody } from './support/forms.ts';
import { startSubject } from './support/subject.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A text with one place filled with bytes. */
function withBytes(text: string, bytes: readonly number[]): Uint8Array<ArrayBuffer> {
  const [before = '', after = ''] = text.split('hello');
  return Uint8Array.from([...utf8(before), ...bytes, ...utf8(after)]);
}

const NOT_UTF8: readonly (readonly [string, readonly number[]])[] = [
  ['a byte that cannot be', [0xff]],
  ['the first half of a character', [0xc3]],
  ['the second half of a character', [0xa9]],
  ['a character written too long', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0x67, 0x72, 0xfc, 0x6e]],
];

const NOT_JSON: readonly (readonly [string, string])[] = [
  ['white space', ' \r\n\t'],
  ['words', 'hello there'],
  ['a form', 'message=hello&role=user'],
  ['XML', '<message role="user">hello</message>'],
  ['single quotes', "{'message': 'hello'}"],
  ['a comment', '{} // nothing'],
  ['a trailing comma', '{"message":{},}'],
  ['two values', '{}{}'],
  ['names without quotes', '{message: {}}'],
  ['a number that JSON does not have', '{"message": NaN}'],
  ['an octal number', '{"message": 012}'],
  ['a hexadecimal escape', '{"message": "\\x41"}'],
  ['half an escape', '{"message": "\\u00"}'],
  ['a control character in a text', '{"message": "a\nb"}'],
  ['a NUL between values', '{"message":\u0000{}}'],
  ['NULs only', '\u0000\u0000\u0000'],
  ['a closing bracket alone', ']'],
  ['an opening bracket a thousand times', '['.repeat(1000)],
  ['opening braces', '{"a":'.repeat(1000)],
  ['a byte order mark in the middle', '{"message":\ufeff{}}'],
];

describe.each(FORMS)('$name', (form) => {
  // Before the body is read, JSON-RPC cannot tell the dialect.
  const early = form.binding === 'jsonrpc' ? newestOf(form) : form;
  const refused = (response: Response) => expectRefusal(early, response, 'PARSE_ERROR', [], null);

  it('refuses a body that ends at any place before its end [rule:jsonrpc.parse] [rule:errors.validate-first] [seed:S3.3]', async () => {
    const subject = startSubject();
    const body = sendBody(form);
    for (let length = 0; length < body.length; length += 1) {
      await refused(await subject.server.fetch(postTo(form, body.slice(0, length))));
    }
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it.each(NOT_JSON)('refuses %s: it is not JSON [rule:jsonrpc.parse] [seed:S3.3]', async (_, body) => {
    const subject = startSubject();
    await refused(await subject.server.fetch(postTo(form, body)));
    await subject.expectNothingStarted();
  });

  it.each(NOT_UTF8)('refuses %s: it is not UTF-8 [rule:jsonrpc.parse]', async (_, bytes) => {
    const subject = startSubject();
    const refusal = await refused(await subject.server.fetch(postTo(form, withBytes(sendBody(form), bytes))));
    expect(refusal.message).toContain('UTF-8');
    await subject.expectNothingStarted();
  });

  it('refuses UTF-16, and bodies that are packed in other ways than they say [rule:jsonrpc.parse]', async () => {
    const subject = startSubject();
    const text = sendBody(form);
    const utf16 = Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));
    await refused(
      await subject.server.fetch(postTo(form, utf16, { 'content-type': 'application/json; charset=utf-16' })),
    );
    const { gzipSync } = await import('node:zlib');
    const zipped = Uint8Array.from(gzipSync(text));
    await refused(await subject.server.fetch(postTo(form, zipped)));
    await refused(await subject.server.fetch(postTo(form, text, { 'content-encoding': 'gzip' })));
    await subject.expectNothingStarted();
  });

  it.each([
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'json',
    '*/*',
    ';',
    '',
    ',application/json',
    'x'.repeat(4000),
  ])('refuses a body of type %j before it reads it [rule:jsonrpc.wrong-type] [rule:errors.validate-first]', async (type) => {
    const subject = startSubject();
    for (const body of [sendBody(form), '{not JSON', new Uint8Array([0xff])]) {
      const response = await subject.server.fetch(postTo(form, body, { 'content-type': type }));
      await expectRefusal(early, response, 'CONTENT_TYPE_NOT_SUPPORTED', [], null);
    }
    await subject.expectNothingStarted();
  });

  it.each([
    undefined,
    'application/json',
    'APPLICATION/JSON ; charset="utf-8"',
  ])('takes a right body of type %j', async (type) => {
    const subject = startSubject();
    const response = await subject.server.fetch(postTo(form, sendBody(form), { 'content-type': type }));
    expect(response.status).toBe(200);
    expect(subject.runs()).toBe(1);
  });

  it('passes over a byte order mark and the white space of JSON', async () => {
    const subject = startSubject();
    for (const body of [`\ufeff${sendBody(form)}`, `\r\n\t ${sendBody(form)} \n`]) {
      const response = await subject.server.fetch(postTo(form, body));
      expect(await response.text()).toContain('hello');
    }
    expect(subject.runs()).toBe(2);
  });

  it('takes the last of several members with one name', async () => {
    const subject = startSubject();
    const doubled = (first: string, last: string) => sendBody(form).replace('"hello"', `${first},"text":${last}`);
    const response = await subject.server.fetch(postTo(form, doubled('5', '"twice"')));
    expect(await response.text()).toContain('twice');
    const refusal = await subject.server.fetch(postTo(form, doubled('"twice"', '5')));
    await expectRefusal(form, refusal, 'INVALID_PARAMS', [`message.${form.parts}[0].text`]);
    expect(subject.runs()).toBe(1);
  });

  it('keeps members called __proto__ to themselves [rule:json.metadata]', async () => {
    const subject = startSubject();
    const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const params = `${JSON.stringify(form.send()).slice(0, -1)},"__proto__":{"polluted":1},"metadata":${evil}}`;
    const withEvil = params.replace('"role"', `"metadata":${evil},"__proto__":{"taskId":"x"},"role"`);
    const body = form.binding === 'jsonrpc' ? sendBody(form, 'PARAMS').replace('"PARAMS"', withEvil) : withEvil;
    const response = await subject.server.fetch(postTo(form, body));
    expect(await response.text()).toContain(evil);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const task = (await subject.peer.call('ListTasks')).tasks[0];
    expect(JSON.stringify(task.history[0].metadata)).toBe(evil);
  });

  it('needs a body where it needs one, and refuses what is no object [rule:errors.validate-first]', async () => {
    const subject = startSubject();
    for (const [operation, { route }] of callings(form)) {
      if (form.binding === 'jsonrpc' || !route.startsWith('POST') || !operation.startsWith('send')) continue;
      const response = await subject.server.fetch(requestOf(form, operation, null));
      await expectRefusal(form, response, 'INVALID_PARAMS', ['message']);
    }
    await refused(await subject.server.fetch(postTo(form, '')));
    await subject.expectNothingStarted();
  });
});
