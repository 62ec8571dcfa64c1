import { generateKeyPairSync } from 'node:crypto';
import { type A2AServerOptions, type Agent, defineAgent } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { echo, lab, reporter } from '../../../../examples/agents/index.ts';
import { RULES } from '../../src/check/rules/index.ts';
import { ALL_RULES } from '../../src/check/table/all-rules.ts';
import { UNSEEN } from '../../src/check/unseen.ts';
import { cli } from '../cli/support/in-process.ts';
import { startServer } from '../support/rpc.ts';
import { type Checked, checked, idsWith } from './support/checked.ts';

const QUICK_RETRIES = { retry: { firstDelay: 20 } };
const NEEDED = { uri: 'urn:example:needed:v1', required: true };
const CALLERS: Readonly<Record<string, string>> = { 'token-of-ann': 'ann', 'token-of-bob': 'bob' };

const byToken = custom(({ token }) => (token && CALLERS[token] ? { subject: CALLERS[token] } : undefined), {
  scheme: { type: 'http', scheme: 'Bearer' },
});

/** Asks a question with choices. */
const chooser: Agent = defineAgent({
  name: 'chooser',
  description: 'Asks which one',
  version: '1.0.0',
  skills: [{ id: 'choose', name: 'Choose', description: 'Asks', tags: ['ask'], examples: ['Choose'] }],
  async *run(task) {
    yield await task.ask({ prompt: 'Which one?', choices: ['red', 'blue'] });
  },
});

/** Of the rules that hold in every binding, those that show in headers of HTTP and sizes that it announces alone. */
const OF_HTTP: readonly string[] = ['security.limits'];

interface Row {
  readonly name: string;
  readonly agents: readonly Agent[];
  readonly options?: Partial<A2AServerOptions>;
  readonly args?: readonly string[];
}

const { privateKey } = generateKeyPairSync('ed25519');
const signingKey = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const ROWS: readonly Row[] = [
  { name: 'is open', agents: [lab], options: { push: QUICK_RETRIES } },
  {
    name: 'is guarded, signed and has an extended card',
    agents: [{ ...lab, extendedCard: { description: 'More for those who are known' } }],
    options: { auth: [byToken], card: { sign: { key: signingKey, kid: 'check' } }, push: QUICK_RETRIES },
    args: ['--token', 'token-of-ann', '--other-token', 'token-of-bob'],
  },
  {
    name: 'is guarded and its card is merged, with an extended card that is not there',
    agents: [{ ...lab, extendedCard: true }],
    options: { auth: [byToken], push: false },
    args: ['--token', 'token-of-ann', '--other-token', 'token-of-bob', '--only', 'card,v03,send.inline-push-off'],
  },
  {
    name: 'neither streams nor pushes',
    agents: [{ ...lab, streaming: false }],
    options: { push: false },
    args: ['--only', 'stream,push,send.inline-push-off'],
  },
  { name: 'has tenants', agents: [lab], options: { tenants: ['acme'] }, args: ['--only', 'tenant'] },
  { name: 'requires an extension', agents: [{ ...lab, extensions: [NEEDED] }], args: ['--only', 'extension,send'] },
  {
    name: 'asks with choices',
    agents: [chooser],
    args: ['--only', 'questions', '--prompt', 'asking=Choose'],
  },
];

async function check({ agents, options, args = [] }: Row): Promise<Checked> {
  const { server } = startServer([...agents], { grpc: { port: 0 }, ...options });
  await server.listen({ port: 0 });
  return checked(server.url ?? '', ...args);
}

describe('parley check on a server of ours that', () => {
  const seen: Checked[] = [];

  it.each(ROWS)('$name finds nothing wrong', async (row) => {
    const found = await check(row);
    seen.push(found);
    const broken = found.results.filter(({ verdict }) => verdict === 'FAIL' || verdict === 'WARN');
    expect(broken).toEqual([]);
    expect(found.code).toBe(0);
    expect(idsWith(found.results, 'SKIP').filter((id) => !Object.hasOwn(UNSEEN, id))).toEqual([]);
  });

  it('shows every rule but those that cannot be seen from outside', () => {
    const passed = new Set(seen.flatMap(({ results }) => idsWith(results, 'PASS')));
    const unseen = ALL_RULES.map(({ id }) => id).filter((id) => !passed.has(id));
    expect(unseen).toEqual(ALL_RULES.map(({ id }) => id).filter((id) => Object.hasOwn(UNSEEN, id)));
  });

  it('shows every rule of an interface over gRPC too, unless the rule is about HTTP', () => {
    const passed = new Set(
      seen.flatMap(({ results }) =>
        results
          .filter(({ outcomes }) => outcomes.some((one) => one.verdict === 'PASS' && one.interface?.endsWith('grpc')))
          .map(({ id }) => id),
      ),
    );
    const ofInterfaces = new Set(RULES.filter((rule) => !('server' in rule)).map(({ id }) => id));
    const applying = ALL_RULES.filter(
      ({ id, bindings }) => ofInterfaces.has(id) && (bindings.length === 0 || bindings.includes('grpc')),
    );
    expect(applying.length).toBeGreaterThan(130);
    expect(applying.map(({ id }) => id).filter((id) => !passed.has(id))).toEqual(OF_HTTP);
  });
});

it('reads the examples of a card to find out what an agent does', async () => {
  const { server } = startServer([reporter, echo]);
  await server.listen({ port: 0 });
  const { code, results } = await checked(
    server.url ?? '',
    '--only',
    'subscribe,context,cancel',
    '--binding',
    'jsonrpc',
  );
  expect(idsWith(results, 'FAIL', 'WARN')).toEqual([]);
  expect(idsWith(results, 'PASS')).toEqual(
    expect.arrayContaining(['subscribe.interrupted', 'context.inferred', 'context.mismatch']),
  );
  expect(code).toBe(0);
});

it('groups its lines by area and ends with the sum', async () => {
  const { server } = startServer([lab]);
  await server.listen({ port: 0 });
  const { stdout } = await cli(['check', server.url ?? '', '--only', 'get', '--protocol', '1.0', '--binding', 'rest']);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 4)).toEqual([`lab at ${server.url}`, '1.0 rest', '', 'get']);
  expect(lines[4]).toMatch(/^ {2}PASS {2}get\.bare +v1-operations 7 +GetTask returns the Task without a wrapper/);
  expect(lines.at(-2)).toMatch(
    /^2 passed, 0 failed, 0 warnings, 0 skipped, 1 not applicable \(\d+\.\d s, \d+ requests\)\.$/,
  );
});
