import { describe, expect, it } from 'vitest';
import { FORMS } from './support/all-forms.ts';
import { type Form, postTo, requestOf, sendBody } from './support/forms.ts';
import { REST_V03, ROOT_V03 } from './support/forms-v03.ts';
import { nestedLists } from './support/json.ts';
import { startSubject } from './support/subject.ts';

const SIZE = 1_000_000;
/** Bad input may cost so many times what a right body of the same size costs. */
const MOST = 20;
const ROUNDS = 3;
/** Collecting garbage falls on one or the other: a real growth fails every time. */
const NOISY = { retry: 3 };
/** One of each binding and each vocabulary. */
const TIMED = FORMS.filter((form) => ![REST_V03, ROOT_V03].includes(form));

const text = 'x'.repeat(SIZE);
const repeated = (item: string, separator = ',') =>
  Array.from({ length: Math.ceil(SIZE / (item.length + separator.length)) }, () => item).join(separator);

/** A send with a JSON text in the place of one value. */
function filled(form: Form, json: string, message: Readonly<Record<string, unknown>>): string {
  return sendBody(form, form.send(message)).replace('"FILL"', () => json);
}

interface Costly {
  readonly name: string;
  readonly body: (form: Form) => string | Uint8Array<ArrayBuffer>;
}

/** A megabyte each. */
const COSTLY: readonly Costly[] = [
  { name: 'text that is no JSON', body: () => `{${text}` },
  {
    name: 'a JSON text without its end',
    body: (form) => filled(form, `"${text}`, { messageId: 'FILL' }).slice(0, SIZE),
  },
  { name: 'bytes that are no UTF-8 at the end', body: () => new Uint8Array(SIZE).fill(0x20, 0, -1).fill(0xff, -1) },
  { name: 'opening brackets', body: () => '['.repeat(SIZE) },
  { name: 'lists in lists', body: (form) => filled(form, `{"a":${nestedLists(SIZE / 2)}}`, { metadata: 'FILL' }) },
  { name: 'a list of numbers for a body', body: () => `[${repeated('1')}]` },
  { name: 'empty parts', body: (form) => filled(form, `[${repeated('{}')}]`, { [form.parts]: 'FILL' }) },
  { name: 'numbers for parts', body: (form) => filled(form, `[${repeated('1')}]`, { [form.parts]: 'FILL' }) },
  {
    name: 'too many right parts',
    body: (form) => filled(form, `[${repeated(JSON.stringify(form.textPart('x')))}]`, { [form.parts]: 'FILL' }),
  },
  { name: 'numbers for extensions', body: (form) => filled(form, `[${repeated('1')}]`, { extensions: 'FILL' }) },
  {
    name: 'unknown members',
    body: (form) =>
      filled(form, `{${Array.from({ length: SIZE / 12 }, (_, n) => `"m${n}":1`).join()}}`, { role: 'FILL' }),
  },
  { name: 'one member again and again', body: (form) => filled(form, `{${repeated('"a":1')}}`, { role: 'FILL' }) },
  { name: 'a role', body: (form) => filled(form, `"${text}"`, { role: 'FILL' }) },
  { name: 'a task id', body: (form) => filled(form, `"${text}"`, { taskId: 'FILL' }) },
  { name: 'escapes', body: (form) => filled(form, `"${'\\u0041'.repeat(SIZE / 6)}"`, { role: 'FILL' }) },
];

/** Milliseconds of processor time for a request, the best of a few: what others on the machine do is not counted. */
async function timed(run: () => Promise<Response>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await (await run()).text();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

describe.each(TIMED)('$name', (form) => {
  it('a megabyte of mistakes costs no more than a few right megabytes [rule:security.limits]', NOISY, async () => {
    const { server, expectHealthy } = startSubject();
    const right = await timed(() =>
      server.fetch(postTo(form, sendBody(form, form.send({ [form.parts]: [form.textPart(text)] })))),
    );
    const ratios: Record<string, number> = {};
    for (const { name, body } of COSTLY) {
      const bytes = body(form);
      ratios[name] = (await timed(() => server.fetch(postTo(form, bytes)))) / right;
    }
    const disproportionate = Object.entries(ratios).filter(([, ratio]) => ratio > MOST);
    expect(disproportionate, `a right megabyte took ${right} ms`).toEqual([]);
    await expectHealthy();
  });
});

it(
  'eight times the mistakes cost a few times eight, not sixty-four times the time [rule:security.limits]',
  NOISY,
  async () => {
    const { server } = startSubject();
    for (const form of TIMED) {
      const bodies: readonly ((count: number) => string)[] = [
        (count) => filled(form, `[${'{},'.repeat(count)}{}]`, { [form.parts]: 'FILL' }),
        (count) => filled(form, `"${'A'.repeat(count * 20)}*"`, { [form.parts]: [base64Part(form)] }),
        (count) => filled(form, `"${'9'.repeat(count * 20)}"`, { metadata: { skillId: 'FILL' } }),
      ];
      for (const body of bodies) {
        const small = await timed(() => server.fetch(postTo(form, body(10_000))));
        const large = await timed(() => server.fetch(postTo(form, body(80_000))));
        expect(large / small).toBeLessThan(8 * 4);
      }
    }
  },
);

/** A part whose base64 is to be filled in. */
function base64Part(form: Form): unknown {
  return JSON.parse(JSON.stringify(form.filePart('text/plain')).replace('aGk=', 'FILL'));
}

it('long headers cost no more than a few long right ones [rule:security.limits]', NOISY, async () => {
  const { server } = startSubject();
  const form = FORMS[0] as Form;
  const long = 15_000;
  const ask = (headers: Readonly<Record<string, string>>) =>
    timed(() => server.fetch(requestOf(form, 'sendMessage', form.send(), headers)));
  const right = await ask({ 'x-other': 'x'.repeat(long) });
  for (const name of ['a2a-extensions', 'accept', 'content-type', 'a2a-version', 'last-event-id', 'if-none-match']) {
    for (const value of [','.repeat(long), ';'.repeat(long), 'a, '.repeat(long / 3), `${'1.'.repeat(long / 2)}`]) {
      expect((await ask({ [name]: value.trim() })) / right, name).toBeLessThan(MOST);
    }
  }
});
