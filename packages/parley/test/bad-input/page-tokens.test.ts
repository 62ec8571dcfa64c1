import { describe, it } from 'vitest';
import { expectRefusal } from './support/answers.ts';
import { requestOf } from './support/forms.ts';
import { JSONRPC_V1, REST_V1 } from './support/forms-v1.ts';
import { startSubject } from './support/subject.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

/** A server with three tasks, and a right token for the second page of them. */
async function start() {
  const subject = startSubject();
  for (const text of ['one', 'two', 'three']) await subject.peer.send(text, { contextId: 'c-1' });
  const { nextPageToken, tasks } = await subject.peer.call('ListTasks', { pageSize: 1 });
  const content: unknown[] = JSON.parse(Buffer.from(nextPageToken, 'base64url').toString());
  return { subject, token: String(nextPageToken), content, first: tasks[0].id };
}

const FORGED: readonly (readonly [string, (token: string, content: readonly unknown[]) => string])[] = [
  ['a word', () => 'next'],
  ['a number', () => '2'],
  ['no base64', () => '*'],
  ['half a character', () => '\ud800'],
  ['letters that base64 does not have', () => 'grün'],
  ['base64 of no JSON', () => Buffer.from('{"half').toString('base64url')],
  ['null', () => encoded(null)],
  ['an object', () => encoded({ 0: 1, 1: 2, 2: 'x', length: 3 })],
  ['an empty list', () => encoded([])],
  ['a list of nulls', () => encoded([null, null, null])],
  ['a token without its end', (token) => token.slice(0, -2)],
  ['a token without its beginning', (token) => token.slice(2)],
  ['a token with more behind it', (token) => `${token}AAAA`],
  ['a token of another fingerprint', (_, [mark, ...rest]) => encoded([Number(mark) + 1, ...rest])],
  ['a token with a text for a time', (_, [mark, time, id]) => encoded([mark, String(time), id])],
  ['a token with a fraction for a time', (_, [mark, , id]) => encoded([mark, 0.5, id])],
  ['a token with a time beyond all times', (_, [mark, , id]) => encoded([mark, 1e300, id])],
  ['a token with a number for an id', (_, [mark, time]) => encoded([mark, time, 5])],
  ['a token with a list for an id', (_, [mark, time]) => encoded([mark, time, ['x']])],
  ['a token with a member too many', (_, content) => encoded([...content, 1])],
  ['a megabyte', () => 'A'.repeat(1_000_000)],
];

describe.each([JSONRPC_V1, REST_V1])('$name', (form) => {
  it.each(FORGED)('refuses %s for a page token [rule:list.bad-token] [rule:errors.fields]', async (_, forge) => {
    const { subject, token, content } = await start();
    const params = { pageSize: 1, pageToken: forge(token, content) };
    // What is no Unicode cannot stand in a query.
    if (form.binding === 'rest' && !params.pageToken.isWellFormed()) return;
    const response = await subject.server.fetch(requestOf(form, 'listTasks', params));
    await expectRefusal(form, response, 'INVALID_PARAMS', ['pageToken']);
    await subject.expectHealthy();
  });

  it('refuses a right token with other filters [rule:list.bad-token]', async () => {
    const { subject, token } = await start();
    for (const filter of [
      { contextId: 'c-1' },
      { status: 'TASK_STATE_FAILED' },
      { statusTimestampAfter: '2020-01-01T00:00:00Z' },
    ]) {
      const response = await subject.server.fetch(requestOf(form, 'listTasks', { ...filter, pageToken: token }));
      await expectRefusal(form, response, 'INVALID_PARAMS', ['pageToken']);
    }
  });

  it('refuses a position that is made up [rule:list.bad-token]', async () => {
    const { subject, content } = await start();
    const [mark] = content;
    for (const [time, id] of [
      [0, ''],
      [Number.MAX_SAFE_INTEGER, 'x'],
      [Number.MIN_SAFE_INTEGER, '\u0000'],
      [0, '__proto__'],
    ]) {
      const params = { pageToken: encoded([mark, time, id]) };
      const response = await subject.server.fetch(requestOf(form, 'listTasks', params));
      await expectRefusal(form, response, 'INVALID_PARAMS', ['pageToken']);
    }
  });
});
