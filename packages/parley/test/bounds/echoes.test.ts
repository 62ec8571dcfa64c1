import { A2AServer } from 'parley-a2a';
import { CALLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../support/script.ts';
import { FORMS, type Form, MOUNTS, posted, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

const agents = [
  agentOf((task) => task.text, {
    name: 'picky',
    inputModes: ['text/plain'],
    extensions: [{ uri: 'urn:example:needed', required: true }],
  }),
];

/** A request that is refused for what it says, which is as long as it may be. */
const LONG = 'x'.repeat(1000);
const ODD = `\u009b2J\u007f${'y'.repeat(40)}`;

const REQUESTS: readonly (readonly [string, (form: Form) => Request])[] = [
  ['a task that is not there', (form) => requestOf(form, 'getTask', { id: LONG })],
  ['a task with an odd name', (form) => requestOf(form, 'getTask', { id: ODD })],
  ['an agent that is not there', (form) => posted(form, `/a2a/agents/${LONG}`, '{}')],
  [
    'a method that is not there',
    (form) => posted(form, form.base || '/v1/x', `{"jsonrpc":"2.0","id":1,"method":"${LONG}"}`),
  ],
  ['JSON that is none', (form) => posted(form, form.base || '/v1/message:send', `{"a": ${ODD}${LONG}`)],
  ['an extension that is missing', (form) => withExtensions(requestOf(form, 'sendMessage', sendOf(form)), LONG)],
  [
    'many extensions',
    (form) => withExtensions(requestOf(form, 'sendMessage', sendOf(form)), Array(200).fill(LONG).join(',')),
  ],
];

function withExtensions(request: Request, value: string): Request {
  request.headers.set('a2a-extensions', value);
  return request;
}

describe.each(FORMS.filter(({ operations }) => 'getTask' in operations))('$name', (form) => {
  it.each(
    REQUESTS,
  )('repeats little of %s, and no control characters [rule:errors.code-message]', async (_, requested) => {
    const server = new A2AServer({ agents, mounts: MOUNTS });
    onTestFinished(() => server.close());
    const text = await textOf(await server.fetch(requested(form)));
    expectShort({ ...form, binding: 'rest' }, text);
    expect(text).not.toMatch(/[\u007f-\u009f]/);
  });
});

it('refuses a chain of calls with names that are too long, by its field', async () => {
  const server = new A2AServer({ agents: [agentOf((task) => task.text)], mounts: MOUNTS });
  onTestFinished(() => server.close());
  const [form] = FORMS;
  if (!form) throw new Error('There are forms');
  for (const chain of [
    { trace: 'x'.repeat(1025), hops: [] },
    { trace: 't', hops: ['x'.repeat(1025)] },
    { trace: 't', hops: [], caller: 'x'.repeat(1025) },
  ]) {
    const message = { metadata: { [CALLS_EXTENSION]: chain } };
    const text = await textOf(await server.fetch(requestOf(form, 'sendMessage', sendOf(form, message))));
    expect(expectShort(form, text).code).toBe(-32602);
    expect(text).toContain('names of more than 1024 characters');
  }
});
