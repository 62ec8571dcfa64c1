import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentOf } from '../support/script.ts';
import { FORMS, type Form, MOUNTS, requestOf, sendOf } from './forms.ts';
import { expectShort, textOf } from './refusals.ts';

const KB = 1024;

function start(options: Partial<A2AServerOptions> = {}) {
  let runs = 0;
  const agent = agentOf(() => {
    runs += 1;
    return 'done';
  });
  const server = new A2AServer({ agents: [agent], mounts: MOUNTS, ...options });
  onTestFinished(() => server.close());
  const send = async (form: Form, message: Readonly<Record<string, unknown>>) =>
    textOf(await server.fetch(requestOf(form, 'sendMessage', sendOf(form, message))));
  return { send, runs: () => runs };
}

function formNamed(name: string): Form {
  const form = FORMS.find((one) => one.name === name);
  if (!form) throw new Error(`There is no form ${name}`);
  return form;
}

const jaf = formNamed('jaf');
const text = (length: number, letter = 'x') => ({ kind: 'text', text: letter.repeat(length) });
const data = (length: number) => ({ kind: 'data', data: { value: 'x'.repeat(length) } });

describe('a mount of jaf (S1.10)', () => {
  it.each([
    ['a text part', { parts: [text(100 * KB + 1)] }, 'message.parts[0].text must have at most 102400 bytes'],
    [
      'a text of two bytes each',
      { parts: [text(50 * KB + 1, 'é')] },
      'message.parts[0].text must have at most 102400 bytes',
    ],
    ['a data part', { parts: [text(1), data(KB * KB)] }, 'message.parts[1].data must have at most 1048576 bytes'],
    ['parts', { parts: Array.from({ length: 101 }, () => text(1)) }, 'message.parts must have at most 100 elements'],
    [
      'a message',
      { parts: Array.from({ length: 12 }, () => text(90 * KB)) },
      'message must have at most 1048576 bytes',
    ],
  ])('refuses %s beyond the figure of the document', async (_, message, problem) => {
    const { send, runs } = start();
    const refusal = expectShort(jaf, await send(jaf, message));
    expect(refusal.code).toBe(-32602);
    expect(refusal.text).toContain(problem);
    expect(refusal.text).toContain('"errorType":"InvalidParams"');
    expect(runs()).toBe(0);
  });

  it.each([
    ['a text part', { parts: [text(100 * KB)] }],
    ['a text of two bytes each', { parts: [text(50 * KB, 'é')] }],
    ['parts', { parts: Array.from({ length: 100 }, () => text(1)) }],
    ['a message', { parts: Array.from({ length: 10 }, () => text(100 * KB)) }],
  ])('takes %s of the figure of the document', async (_, message) => {
    const { send, runs } = start();
    expect(await send(jaf, message)).not.toContain('"error"');
    expect(runs()).toBe(1);
  });

  it('has the limits that the server or the mount sets', async () => {
    const parts = (count: number) => ({ parts: Array.from({ length: count }, () => text(1)) });
    const set = start({ limits: { parts: 150 } });
    expect(await set.send(jaf, parts(150))).not.toContain('"error"');
    expect(await set.send(jaf, parts(151))).toContain('at most 150 elements');
    const mounted = start({ limits: { parts: 150 }, mounts: [{ path: '/jaf', dialect: 'jaf', limits: { parts: 2 } }] });
    expect(await mounted.send(jaf, parts(3))).toContain('at most 2 elements');
  });
});

describe.each(FORMS)('$name', (form) => {
  const parts = (...texts: readonly string[]) => ({ [form.parts]: texts.map((one) => form.textPart(one)) });

  it.each([
    ['textBytes', `message.${form.parts}[1].text must have at most 9 bytes`, parts('123456789', '1234567890')],
    ['metadataBytes', 'message.metadata must have at most 9 bytes', { metadata: { a: '1234567890' } }],
    ['messageBytes', 'message must have at most 9 bytes', parts('123456789')],
  ])('refuses a message beyond limits.%s, by name [rule:security.limits]', async (name, problem, message) => {
    const { send, runs } = start({ limits: { [name]: 9 } });
    const refusal = expectShort(form, await send(form, message));
    expect(refusal.code).toBe(form.invalid);
    expect(refusal.text).toContain(problem);
    expect(runs()).toBe(0);
  });
});

describe('the limits of a mount', () => {
  const small = { path: '/small', dialect: '1.0', limits: { idLength: 4, depth: 5, references: 1 } } as const;
  const v1: Form = { ...formNamed('1.0 JSON-RPC'), base: '/small' };

  it('hold there and nowhere else', async () => {
    const { send } = start({ mounts: [small] });
    for (const [message, problem] of [
      [{ messageId: '12345' }, 'message.messageId must have at most 4 characters'],
      [{ referenceTaskIds: ['a', 'b'] }, 'message.referenceTaskIds must have at most 1 elements'],
      [{ metadata: { a: { b: { c: {} } } } }, 'nested deeper than 5 levels'],
    ] as const) {
      expect(await send(v1, message)).toContain(problem);
      expect(await send({ ...v1, base: '/a2a' }, message)).not.toContain('"error"');
    }
  });

  it('are checked when the server is made', () => {
    const made = (limits: object) => () => start({ mounts: [{ path: '/x', dialect: 'jaf', limits }] });
    expect(made({ parts: -1 })).toThrow('The mount /x: limits.parts must be a number that is not negative, not -1');
    expect(made({ depth: 2000 })).toThrow('limits.depth must be at most 1000');
    expect(made({ runs: 1 })).toThrow('The mount /x cannot have a limit runs of its own');
  });
});
