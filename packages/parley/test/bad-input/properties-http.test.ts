import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../support/rpc.ts';
import { FORMS } from './support/all-forms.ts';
import { problemsOfError } from './support/answers.ts';
import { headerValue, oddText } from './support/arbitraries.ts';
import { type Form, requestOf } from './support/forms.ts';
import { type Subject, startSubject } from './support/subject.ts';

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'get', 'x'];
/** Verbs can be any word, on platforms that let them through. */
const verb = fc.constantFrom(...VERBS, '__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty');

const HEADERS = [
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'accept',
  'content-type',
  'last-event-id',
  'idempotency-key',
  'if-none-match',
  'if-modified-since',
  'x-parley-debug',
  'host',
  'origin',
  'authorization',
  '__proto__',
  'constructor',
];
const headers = fc.dictionary(fc.constantFrom(...HEADERS), headerValue, { maxKeys: 5, noNullPrototype: true });

const segment = fc.oneof(
  fc.constantFrom(
    'tasks',
    'message:send',
    'message:stream',
    'v1',
    'agents',
    'test',
    'extendedAgentCard',
    'card',
    'pushNotificationConfigs',
    'x:cancel',
    'x:subscribe',
    ':cancel',
    'x%3Acancel',
    'health',
    '.well-known',
    'agent-card.json',
    '',
    '%',
    '%2F',
    '%00',
    '%ED%A0%80',
    '..%2f..',
    'constructor',
    '__proto__',
  ),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
);
const path = fc
  .tuple(fc.constantFrom('/a2a', '/a2a/agents/test', '/v1', '', '/.well-known'), fc.array(segment, { maxLength: 5 }))
  .map(([base, segments]) => [base, ...segments].join('/'));
const query = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom('A2A-Version', 'tenant', 'pageSize', 'id', 'message', '__proto__'), oddText),
      oddText,
    ),
    {
      maxLength: 3,
    },
  )
  .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'));

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** What is wrong with an answer of which only is known that it must be one. */
async function problemsOf(subject: Subject, request: Request): Promise<string[]> {
  const response = await subject.server.fetch(request);
  const type = response.headers.get('content-type') ?? '';
  if (response.status >= 500) return [`${response.status} ${await response.text()}`];
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return [];
  }
  const text = await response.text();
  if (request.method === 'HEAD') return text === '' ? [] : ['a body for HEAD'];
  if (response.status === 204 || response.status === 304) return [];
  if (response.status === 200 && type.startsWith('text/plain')) return [];
  const body: Wire = JSON.parse(text);
  if (response.status === 200 && body.error === undefined) return [];
  const found = FORMS.map((form) => problemsOfError(form, response.status, body));
  return found.some((problems) => problems.length === 0) ? [] : [text];
}

it('any path, verb and query is answered [rule:errors.code-message]', async () => {
  const subject = startSubject();
  const body = fc.constantFrom(undefined, '', '{}', 'null', '[]', '{"message":{}}', 'x');
  await fc.assert(
    fc.asyncProperty(path, verb, query, body, fc.boolean(), async (target, method, search, text, versioned) => {
      const url = new URL(`http://localhost${search === '' ? target : `${target}?${search}`}`);
      const init: RequestInit = { method, headers: versioned ? { 'a2a-version': '1.0' } : {} };
      if (text !== undefined && method !== 'GET' && method !== 'HEAD' && method !== 'get') {
        init.body = new TextEncoder().encode(text);
      }
      expect(await problemsOf(subject, new Request(url, init))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
  await subject.expectHealthy();
});

describe.each(FORMS)('$name', (form: Form) => {
  it.each([
    'sendMessage',
    'sendStreamingMessage',
    'getTask',
    'subscribeToTask',
    'cancelTask',
  ] as const)('%s survives any headers [rule:errors.code-message]', async (operation) => {
    const subject = startSubject();
    await fc.assert(
      fc.asyncProperty(headers, async (odd) => {
        const { id } = await subject.peer.send('ask');
        const params = operation.startsWith('send') ? form.send() : { id };
        expect(await problemsOf(subject, requestOf(form, operation, params, odd))).toEqual([]);
      }),
      { numRuns: 60 },
    );
    await subject.expectHealthy();
  });
});

it('the card survives any headers', async () => {
  const subject = startSubject();
  await fc.assert(
    fc.asyncProperty(
      headers,
      fc.constantFrom('/.well-known/agent-card.json', '/a2a/agents/test/.well-known/agent.json'),
      async (odd, at) => {
        const request = new Request(`http://localhost${at}`, { headers: odd });
        expect(await problemsOf(subject, request)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
  const card = await subject.server.fetch(new Request('http://localhost/.well-known/agent-card.json'));
  expect(((await card.json()) as Wire).name).toBe('test');
});
