import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/model/operations.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { FORMS, JSONRPC_FORMS, newestOf, REST_FORMS } from './support/all-forms.ts';
import { type Refusal, refusalOf } from './support/answers.ts';
import { type Form, postTo, requestOf, rpcBody } from './support/forms.ts';
import { startSubject } from './support/subject.ts';

const HUGE = 'x'.repeat(1_000_000);
const MANY = 50_000;
const MOST_VIOLATIONS = 20;

interface Case {
  readonly name: string;
  readonly operation?: OperationName;
  readonly params: (form: Form) => unknown;
}

const CASES: readonly Case[] = [
  { name: 'a role', params: (form) => form.send({ role: HUGE }) },
  { name: 'a member that is no object', params: (form) => form.send({ metadata: HUGE }) },
  { name: 'a task id', params: (form) => form.send({ taskId: HUGE }) },
  { name: 'a task id to get', operation: 'getTask', params: () => ({ id: HUGE }) },
  { name: 'a task id to cancel', operation: 'cancelTask', params: () => ({ id: HUGE }) },
  { name: 'a task id to subscribe to', operation: 'subscribeToTask', params: () => ({ id: HUGE }) },
  { name: 'a skill', params: (form) => form.send({ metadata: { skillId: HUGE } }) },
  {
    name: 'a history length of digits',
    params: (form) => ({ ...form.send(), configuration: { historyLength: '9'.repeat(1_000_000) } }),
  },
  { name: 'a member name', params: (form) => form.send({ [HUGE]: 1, role: 5 }) },
  {
    name: 'a list of parts that are none',
    params: (form) => form.send({ [form.parts]: Array.from({ length: MANY }, () => 5) }),
  },
  {
    name: 'a list of empty parts',
    params: (form) => form.send({ [form.parts]: Array.from({ length: MANY }, () => ({})) }),
  },
  {
    name: 'a list of extensions that are none',
    params: (form) => form.send({ extensions: Array.from({ length: MANY }, () => 5) }),
  },
];

/** Nobody reads a megabyte of error text; `refusalOf` has looked at the size of the whole answer. */
function expectShort({ message, fields, descriptions }: Refusal): void {
  expect(message.length).toBeLessThan(3_000);
  expect(fields.length).toBeLessThanOrEqual(MOST_VIOLATIONS);
  for (const text of [...fields, ...descriptions]) expect(text.length).toBeLessThan(500);
}

describe.each(FORMS)('$name', (form) => {
  it.each(
    CASES,
  )('a huge or endless mistake gets a short error: $name [rule:errors.code-message] [rule:errors.fields]', async ({
    operation = 'sendMessage',
    params,
  }) => {
    const subject = startSubject();
    const response = await subject.server.fetch(requestOf(form, operation, params(form)));
    expectShort(await refusalOf(form, response));
    await subject.expectNothingStarted();
  });

  it('a huge media type gets a short error [rule:errors.code-message]', async () => {
    const { peer, server } = startSubject();
    const type = `image/${HUGE}`;
    const sent = requestOf(form, 'sendMessage', form.send({ [form.parts]: [form.filePart(type)] }));
    expectShort(await refusalOf(form, await server.fetch(sent)));
    const response = await server.fetch(postTo(form, '{}', { 'content-type': type }));
    const early = form.binding === 'jsonrpc' ? newestOf(form) : form;
    expectShort(await refusalOf(early, response, null));
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });

  it('a huge version gets a short error [rule:version.unsupported]', async () => {
    const subject = startSubject();
    for (const version of [HUGE, '9'.repeat(100_000), `1.0${' '.repeat(1000)}.0`]) {
      const response = await subject.server.fetch(
        requestOf(form, 'sendMessage', form.send(), { 'a2a-version': version }),
      );
      expectShort(await refusalOf(form.binding === 'jsonrpc' ? newestOf(form) : form, response));
    }
    await subject.expectNothingStarted();
  });
});

it.each(
  JSONRPC_FORMS,
)('a huge method gets a short error: $name [rule:jsonrpc.methods] [rule:errors.code-message]', async (form) => {
  const subject = startSubject();
  for (const method of [HUGE, `tasks/${HUGE}`]) {
    const version = form.version;
    const response = await subject.server.fetch(postTo(form, rpcBody(method, {}), { 'a2a-version': version }));
    expectShort(await refusalOf(form, response));
  }
});

it.each(REST_FORMS)('a huge path or verb gets a short error: $name [rule:errors.code-message]', async (form) => {
  const subject = startSubject();
  const long = 'x'.repeat(100_000);
  for (const [verb, path] of [
    ['GET', `/${long}`],
    ['POST', `/tasks/${long}`],
    ['GET', `/tasks/${long}`],
    [long, '/tasks/x'],
  ] as const) {
    const request = new Request(`http://localhost${form.base}${path}`, { method: verb, headers: form.headers });
    expectShort(await refusalOf(form, await subject.server.fetch(request)));
  }
});

it.each(['/', '/a2a/agents/'])('a huge path below %s gets a short error [rule:errors.code-message]', async (path) => {
  const { server } = startSubject();
  const response = await server.fetch(new Request(`http://localhost${path}${'x'.repeat(100_000)}`));
  expect(response.status).toBe(404);
  expect((await response.text()).length).toBeLessThan(3_000);
});

it('a part of a type that is not taken is named shortly [rule:errors.code-message]', async () => {
  const { server } = startServer(agentOf((task) => task.text));
  for (const form of FORMS) {
    const params = form.send({ [form.parts]: [form.filePart(`image/${HUGE}`)] });
    expectShort(await refusalOf(form, await server.fetch(requestOf(form, 'sendMessage', params))));
  }
});
