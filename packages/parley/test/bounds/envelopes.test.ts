import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../support/script.ts';
import { FORMS, type Form, MOUNTS, posted, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

function start() {
  const server = new A2AServer({ agents: [agentOf((task) => task.text)], mounts: MOUNTS });
  onTestFinished(() => server.close());
  return server;
}

const RPC_FORMS = FORMS.filter(({ binding }) => binding === 'jsonrpc');

/** A send whose `id` is written like this. */
function sendWithId(form: Form, id: string): Request {
  const { sendMessage: method } = form.operations;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'ID', method, params: sendOf(form) });
  return posted(form, form.base, body.replace('"ID"', id));
}

describe.each(RPC_FORMS)('$name', (form) => {
  it('refuses an id of JSON-RPC that is too long, and does not repeat it [rule:jsonrpc.envelope] [rule:security.limits]', async () => {
    const server = start();
    const response = await server.fetch(sendWithId(form, JSON.stringify('i'.repeat(1025))));
    const text = await textOf(response);
    expect(expectShort(form, text).code).toBe(-32600);
    expect(JSON.parse(text).id).toBeNull();
    expect(text).toContain('at most 1024 characters');
    const taken = await server.fetch(sendWithId(form, JSON.stringify('i'.repeat(1024))));
    expect(await taken.text()).toContain(`"id":"${'i'.repeat(1024)}"`);
  });

  it.each([
    '1e400',
    '-1e400',
    '9'.repeat(310),
  ])('refuses an id that is no number: %s [rule:jsonrpc.envelope]', async (id) => {
    const text = await textOf(await start().fetch(sendWithId(form, id)));
    expect(expectShort(form, text).code).toBe(-32600);
    expect(JSON.parse(text).id).toBeNull();
    expect(text).toContain('finite number');
  });

  it.each(['-1.5', '1e3', '9007199254740993'])('takes the id %s as JSON has it', async (id) => {
    const text = await (await start().fetch(sendWithId(form, id))).text();
    expect(text).not.toContain('"error"');
  });

  it('repeats little of a method that nobody knows, and none of its control characters [rule:jsonrpc.methods]', async () => {
    for (const method of ['m'.repeat(100_000), `tasks/\u001b]0;title\u0007\u009b2J\u007f${'m'.repeat(50)}`]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
      const text = await textOf(await start().fetch(posted(form, form.base, body)));
      expect(expectShort(form, text).code).toBe(-32601);
      expect(JSON.stringify(JSON.parse(text))).not.toMatch(/[\u007f-\u009f]|\\u00[01]/);
    }
  });
});

describe.each(FORMS)('$name', (form) => {
  it.each([
    ['message.metadata.n', '{"n":1e400}'],
    ['message.metadata.list[1].n', '{"list":[1,{"n":-1e999}]}'],
    ['message.metadata.n', `{"n":${'9'.repeat(400)}}`],
  ])('refuses a number that no double holds, instead of keeping null: %s [rule:security.limits]', async (field, metadata) => {
    const server = start();
    const request = requestOf(form, 'sendMessage', sendOf(form, { metadata: 'METADATA' }));
    const body = (await request.text()).replace('"METADATA"', metadata);
    const response = await server.fetch(posted(form, new URL(request.url).pathname, body));
    const text = await textOf(response);
    expect(expectShort(form, text).code).toBe(form.invalid);
    expect(text).toContain(`${field} must be a number that a double can hold`);
  });
});
