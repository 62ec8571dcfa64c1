import { memory } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import { withStore } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { agentOf } from '../support/script.ts';
import { sendRaw } from './support/raw-request.ts';
import { type Headers, proofOf, startVictim, type Victim } from './support/victim.ts';

/** Breaks a line in every way that a reader of logs may take for one, and forges an entry after it. */
const FORGERY = [
  '\n[parley] FORGED caller="root"',
  '\r\n[parley] FORGED',
  '\r[parley] FORGED',
  '\u2028[parley] FORGED',
  '\u0085[parley] FORGED',
  '\u000b\u000c[parley] FORGED',
  '\u001b[2K\u001b[1A[parley] FORGED',
  '\u202e\u0007\b\u009b2J\u0000',
].join('');

/** Gathers what is printed by a server with its own log. */
function printed(): readonly string[] {
  const lines: string[] = [];
  for (const level of ['error', 'warn'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.join(' ')));
    onTestFinished(() => spy.mockRestore());
  }
  return lines;
}

/** Each entry is one line that begins as entries do; whatever else belongs to it is further in. */
function expectUnforged(entries: readonly string[]): void {
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) {
    const [first = '', ...others] = entry.split('\n');
    expect(first).toMatch(/^\[parley\] [A-Z][\w ,]+/);
    for (const line of others) expect(line).toMatch(/^ {4}/);
    expect(entry).not.toMatch(/[[\p{Cc}--\n]\p{Zl}\p{Zp}\p{Bidi_Control}]/v);
  }
}

async function post({ url }: Victim, method: string, params: object, headers: Headers): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: FORGERY, method, params });
  await sendRaw(url, {
    method: 'POST',
    path: '/a2a',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
    body,
  });
}

const messageOf = (text: string) => ({
  message: {
    messageId: FORGERY,
    contextId: FORGERY,
    role: 'ROLE_USER',
    parts: [{ text }],
    metadata: { [FORGERY]: FORGERY },
  },
});

describe('the log', () => {
  it('is not written by a caller: errors of agents and stores that quote it stay in their entries', async () => {
    const entries = printed();
    const store = memory();
    const failing = withStore(store, {
      head: (id) => Promise.reject(new Error(`no task ${id}`, { cause: new Error(id) })),
    });
    const agents = [
      agentOf((task) => {
        throw Object.assign(new Error(`cannot do ${task.text}`), { stack: `Error: ${task.text}\nat x` });
      }),
    ];
    const victim = await startVictim({ agents, log: undefined }, () => failing);
    const ann = await proofOf('ann', 'API key');
    await post(victim, 'SendMessage', messageOf(`x${FORGERY}`), ann);
    await post(victim, 'GetTask', { id: `x${FORGERY}` }, ann);
    await post(victim, 'SubscribeToTask', { id: `x${FORGERY}` }, ann);
    expect(entries.length).toBeGreaterThan(2);
    expectUnforged(entries);
  });

  it('is not written by whoever is refused, or by names that hooks quote', async () => {
    const entries = printed();
    const auth = custom(
      ({ token }) => {
        if (token === 'right') return { subject: 'ann' };
        throw new Error(`the directory does not have ${token} ${FORGERY}`);
      },
      { scheme: { type: 'http', scheme: 'Bearer' }, name: 'own' },
    );
    const authorize = (_call: unknown, { input }: { readonly input: object }) => {
      throw new Error(`refused ${JSON.stringify(input)} ${FORGERY}`);
    };
    const victim = await startVictim({ auth, authorize, log: undefined });
    await post(victim, 'ListTasks', {}, { authorization: 'Bearer wrong' });
    await post(victim, 'GetTask', { id: FORGERY }, { authorization: 'Bearer right' });
    expectUnforged(entries);
  });

  it('never has a credential, whether it was right or wrong', async () => {
    const entries = printed();
    const store = withStore(memory(), { list: () => Promise.reject(new Error('no disk')) });
    const victim = await startVictim({ log: undefined }, () => store);
    const [key, token] = [await proofOf('ann', 'API key'), await proofOf('ann', 'token')];
    const wrong = [{ 'x-api-key': 'guessed-key-0123456789' }, { authorization: 'Bearer guessed.token.0123456789' }];
    for (const headers of [key, token, ...wrong]) await post(victim, 'ListTasks', {}, headers as Headers);
    expect(entries.length).toBe(4);
    const all = entries.join('\n');
    for (const headers of [key, token, ...wrong]) {
      for (const value of Object.values(headers)) expect(all).not.toContain(value.replace('Bearer ', ''));
    }
    expect(all).not.toContain('guessed');
    expectUnforged(entries);
  });
});
