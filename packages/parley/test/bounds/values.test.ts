import fc from 'fast-check';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requireFewValues } from '../../src/bindings/http/body/body-values.ts';
import { agentOf } from '../support/script.ts';
import { FORMS, MOUNTS, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

function start(limits: NonNullable<A2AServerOptions['limits']>) {
  const server = new A2AServer({ agents: [agentOf(() => 'done')], mounts: MOUNTS, limits: { rate: false, ...limits } });
  onTestFinished(() => server.close());
  return server;
}

const metadataOf = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, at]));

/** Texts, names, objects and arrays. */
function countOf(value: unknown): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((count, one) => count + countOf(one), 1 + names);
}

describe.each(FORMS)('$name', (form) => {
  it('refuses a body of too many values before it is parsed [rule:security.limits]', async () => {
    const server = start({ values: 1000 });
    const ask = (members: number) =>
      server.fetch(requestOf(form, 'sendMessage', sendOf(form, { metadata: metadataOf(members) })));
    const taken = await ask(900);
    expect(taken.status).toBe(200);
    expect(await taken.text()).not.toContain('allowed');
    const request = requestOf(form, 'sendMessage', sendOf(form, { metadata: metadataOf(2000) }));
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const refused = await server.fetch(request);
    expect(parse.mock.calls.some(([text]) => text.length > 10_000)).toBe(false);
    expect(refused.status).toBe(413);
    const { text } = expectShort(form, await textOf(refused));
    expect(text).toContain('more than the 1000 texts, names, objects and arrays that are allowed');
  });
});

describe('the values of a body', () => {
  it.each([
    ['texts and names', '{"a":"b","c":["d"]}', 6],
    ['no numbers, true, false and null', '[1,2,3,true,false,null,-1e5]', 1],
    ['no brackets and quotes within texts', '["[[[{{{", "\\"", "\\\\", "a\\"[\\"b", "\\\\\\""]', 6],
    ['objects and arrays', '[{},[],[[{}]]]', 6],
    ['texts that escape each character', `["${'\\"'.repeat(50)}","${'\\\\'.repeat(50)}"]`, 3],
    ['a text that does not end', '["a","b', 3],
  ])('are counted: %s', (_, text, count) => {
    // As if it were long enough to be looked at.
    const padded = text + ' '.repeat(2 * count);
    expect(() => requireFewValues(padded, count)).not.toThrow();
    expect(() => requireFewValues(padded, count - 1)).toThrow(`more than the ${count - 1} texts`);
  });

  it('are as many as a parser makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const count = countOf(value);
        const padded = JSON.stringify(value) + ' '.repeat(2 * count);
        expect(() => requireFewValues(padded, count)).not.toThrow();
        if (count > 0) expect(() => requireFewValues(padded, count - 1)).toThrow();
      }),
    );
  });

  it('may be of any number where the setting says so, and of more for one mount', async () => {
    const metadata = metadataOf(300_000);
    const [form] = FORMS;
    if (!form) throw new Error('There is no form');
    const body = () => requestOf(form, 'sendMessage', sendOf(form, { metadata }));
    expect((await start({}).fetch(body())).status).toBe(413);
    expect((await start({ values: 1_000_000 }).fetch(body())).status).toBe(200);
  });
});
