import { describe, expect, it } from 'vitest';
import { FORMS, JSONRPC_FORMS, newestOf, REST_FORMS } from './support/all-forms.ts';
import { expectRefusal } from './support/answers.ts';
import { callings, postTo, REQUEST_ID, requestOf, rpcBody } from './support/forms.ts';
import { MISTAKES } from './support/mistakes.ts';
import { startSubject } from './support/subject.ts';

describe.each(FORMS)('$name', (form) => {
  const possible = MISTAKES.filter(({ only }) => only?.(form) ?? true);

  it.each(
    possible,
  )('$operation with $name: $error [rule:errors.fields] [rule:errors.validate-first] [rule:errors.code-message]', async (mistake) => {
    const subject = startSubject();
    const operations =
      mistake.operation === 'sendMessage' ? (['sendMessage', 'sendStreamingMessage'] as const) : [mistake.operation];
    for (const operation of operations) {
      const request = requestOf(form, operation, mistake.params(form), mistake.headers);
      const shape = mistake.newest && form.binding === 'jsonrpc' ? newestOf(form) : form;
      await expectRefusal(shape, await subject.server.fetch(request), mistake.error, mistake.fields?.(form));
    }
    await subject.expectNothingStarted();
    await subject.expectHealthy();
  });

  it('takes the right request that the mistakes are made from', async () => {
    const subject = startSubject();
    const response = await subject.server.fetch(requestOf(form, 'sendMessage', form.send()));
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('error');
    expect(subject.runs()).toBe(1);
  });
});

it.each(
  FORMS.filter(({ version }) => version === '0.3'),
)('refuses bytes and uri together in $name, and runs nothing [seed:S4.3]', async (form) => {
  const subject = startSubject();
  const [bytes, uri] = form.parts === 'parts' ? ['bytes', 'uri'] : ['fileWithBytes', 'fileWithUri'];
  const file = { [bytes]: 'aGk=', [uri]: 'https://example.com/a', name: 'a', mimeType: 'text/plain' };
  const params = form.send({ [form.parts]: [{ ...(form.parts === 'parts' ? { kind: 'file' } : {}), file }] });
  const response = await subject.server.fetch(requestOf(form, 'sendMessage', params));
  const refusal = await expectRefusal(form, response, 'INVALID_PARAMS', [`message.${form.parts}[0].file`]);
  expect(refusal.descriptions).toEqual([`must have exactly one of ${bytes}, ${uri}`]);
  await subject.expectNothingStarted();
});

describe.each(JSONRPC_FORMS)('$name', (form) => {
  const known = callings(form).map(([, { method }]) => method);

  it.each([
    ['in another case', known.map((method) => method.toUpperCase())],
    ['with a space', known.map((method) => ` ${method}`)],
    ['with more behind it', known.map((method) => `${method}/now`)],
    ['of every object', ['__proto__', 'constructor', 'toString', 'valueOf']],
    ['with line ends', ['SendMessage\r\nx: y', '\n', '\u0000', 'a/b\u2028']],
    ['with half a character', ['\ud800', 'tasks/\udfff']],
  ])('a method %s is unknown: -32601 [rule:jsonrpc.methods] [seed:S3.3]', async (_, methods) => {
    const subject = startSubject();
    for (const method of methods) {
      const response = await subject.server.fetch(postTo(form, rpcBody(method, form.send())));
      await expectRefusal(form, response, 'METHOD_NOT_FOUND');
    }
    await subject.expectNothingStarted();
  });

  const right = { jsonrpc: '2.0', id: REQUEST_ID, method: known[0], params: form.send() };
  const without = (name: string) => Object.fromEntries(Object.entries(right).filter(([member]) => member !== name));

  it.each<[string, unknown, unknown]>([
    ['a batch of one', [right], null],
    ['a batch of many', Array.from({ length: 100 }, () => right), null],
    ['an empty batch', [], null],
    ['a batch in a batch', [[right]], null],
    ['nothing', {}, null],
    ['no method', without('method'), REQUEST_ID],
    ['an empty method', { ...right, method: '' }, REQUEST_ID],
    ['a list for a method', { ...right, method: [known[0]] }, REQUEST_ID],
    ['no version', without('jsonrpc'), REQUEST_ID],
    ['another version', { ...right, jsonrpc: '2.00' }, REQUEST_ID],
    ['an object for an id', { ...right, id: { toString: 'x' } }, null],
    ['a response', { jsonrpc: '2.0', id: REQUEST_ID, result: {} }, REQUEST_ID],
    ['a text', 'SendMessage', null],
    ['a number', 1e300, null],
  ])('an envelope of %s is no request: -32600 [rule:jsonrpc.envelope] [rule:jsonrpc.batch] [seed:S3.3]', async (_, body, id) => {
    const subject = startSubject();
    const response = await subject.server.fetch(postTo(form, JSON.stringify(body)));
    // Nothing in it says which version it is of.
    await expectRefusal(newestOf(form), response, 'INVALID_REQUEST', [], id);
    await subject.expectNothingStarted();
  });

  it.each([
    [[]],
    [[1, 2]],
    [5],
    ['x'],
    [true],
  ])('params %j are refused for every method [rule:jsonrpc.params]', async (params) => {
    const subject = startSubject();
    for (const [operation, { type }] of callings(form)) {
      if (/Push/.test(type) || operation === 'getExtendedCard') continue;
      const response = await subject.server.fetch(requestOf(form, operation, params));
      await expectRefusal(form, response, 'INVALID_PARAMS', ['params']);
    }
    await subject.expectNothingStarted();
  });
});

describe.each(REST_FORMS)('$name', (form) => {
  it.each([
    '/nothing',
    '/message:sen',
    '/message',
    '/message:send/more',
    '/tasks/x/more',
    '/tasks/x/pushNotificationConfigs/y/z',
    '/toString',
    '/__proto__/x',
    '/%00/%ff/%zz',
    `/${'a/'.repeat(500)}`,
  ])('there is no route %s: 404 [rule:errors.code-message]', async (path) => {
    const subject = startSubject();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const request = new Request(`http://localhost${form.base}${path}`, { method, headers: form.headers });
      await expectRefusal(form, await subject.server.fetch(request), 'METHOD_NOT_FOUND');
    }
    await subject.expectNothingStarted();
  });

  it.each([
    ['[]'],
    ['5'],
    ['"x"'],
    ['true'],
    ['[{}]'],
  ])('a body of %s is refused [rule:errors.fields]', async (body) => {
    const subject = startSubject();
    for (const [operation, { route }] of callings(form)) {
      if (!route.startsWith('POST') || /onfig/.test(operation)) continue;
      const response = await subject.server.fetch(requestOf(form, operation, JSON.parse(body)));
      await expectRefusal(form, response, 'INVALID_PARAMS', ['body']);
    }
    await subject.expectNothingStarted();
  });
});
