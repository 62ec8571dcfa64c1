import { A2AClient, A2AServer, type A2AServerOptions, defineAgent, isTask, textOf } from 'parley-a2a';
import { apiKeys, basic, custom, hashPassword, jwt } from 'parley-a2a/auth';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ISSUER, TRUSTED_KEY } from '../attack/support/victim.ts';
import { AUDIENCE, tokenOf } from '../auth/support/issuer.ts';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS, SPEAKERS_MOUNTS } from '../support/speakers.ts';
import { tempFile } from '../support/temp-folder.ts';
import { authOf, memberProof } from './callers.ts';

/** Tells whose task it is. */
const teller = agentOf((task) => `${task.user.subject} of ${task.user.tenant || 'nobody'}`);

async function serve(options: Partial<A2AServerOptions>) {
  const refused: unknown[] = [];
  const log = { error: () => {}, warn: (_: string, details: unknown) => refused.push(details) };
  const server = new A2AServer({ agents: [teller], mounts: SPEAKERS_MOUNTS, log, ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  const url = server.url ?? '';
  return { server, url, refused, peer: new RpcPeer(fetch, `${url}/a2a`) };
}

const bearer = async (claims: Readonly<Record<string, unknown>>) => ({
  authorization: `Bearer ${await tokenOf(TRUSTED_KEY, { iss: ISSUER, sub: 'ann', ...claims })}`,
});
const issued = { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [TRUSTED_KEY.jwk] } };

const ANN = { name: 'ann', tenant: 'acme' };

describe('the tenant of credentials', () => {
  it.each(SPEAKERS)('is that of the tasks, though $name cannot name it [rule:security.owner]', async ({
    path,
    options,
  }) => {
    const { url } = await serve({ auth: await authOf([ANN]) });
    for (const proof of ['API key', 'token'] as const) {
      const client = new A2AClient(`${url}${path}`, { ...options, headers: await memberProof(ANN, proof) });
      expect(await client.run('who?')).toBe('ann of acme');
    }
  });

  it('is named by a claim of tokens; one without it is refused', async () => {
    const { peer, refused } = await serve({ auth: jwt({ ...issued, tenant: 'org' }) });
    const sent = await peer.call('SendMessage', sendParams('who?'), await bearer({ org: 'acme' }));
    expect(sent.task.artifacts[0].parts[0].text).toBe('ann of acme');
    for (const org of [undefined, '', null, 7, ['acme'], 'a\u0000b', 'x'.repeat(1025)]) {
      const response = await peer.request('SendMessage', sendParams('who?'), await bearer({ org }));
      expect([response.status, response.headers.get('www-authenticate')], String(org)).toEqual([
        401,
        expect.stringContaining('invalid_token'),
      ]);
    }
    expect(JSON.stringify(refused[0])).toContain('the claims name no tenant');
  });

  it('may be read by a function, which may say that there is none', async () => {
    const tenant = ({ org }: { readonly org?: unknown }) => (typeof org === 'string' ? org.toLowerCase() : '');
    const { peer } = await serve({ auth: jwt({ ...issued, tenant }), tenants: ['acme'] });
    const named = async (claims: object, more: object = {}) =>
      (await peer.respond('SendMessage', { ...sendParams('who?'), ...more }, await bearer({ ...claims }))).result?.task
        .artifacts[0].parts[0].text;
    expect(await named({ org: 'ACME' })).toBe('ann of acme');
    expect(await named({})).toBe('ann of nobody');
    expect(await named({}, { tenant: 'acme' })).toBe('ann of acme');
  });

  it('is that of a user with a password', async () => {
    const hash = await hashPassword('secret', { cost: 1024, blockSize: 8, parallelization: 1 });
    const { peer } = await serve({ auth: basic({ users: { ann: { hash, tenant: 'acme' }, bob: hash } }) });
    const as = (user: string) => ({ authorization: `Basic ${btoa(`${user}:secret`)}` });
    const { task } = await peer.call('SendMessage', sendParams('who?'), as('ann'));
    expect(task.artifacts[0].parts[0].text).toBe('ann of acme');
    expect((await peer.call('SendMessage', sendParams('who?'), as('bob'))).task.artifacts[0].parts[0].text).toBe(
      'bob of nobody',
    );
    expect((await peer.error('GetTask', { id: task.id }, as('bob'))).code).toBe(-32001);
    expect((await peer.error('GetTask', { id: task.id, tenant: 'globex' }, as('ann'))).code).toBe(-32001);
  });

  it('may come from a check of one’s own', async () => {
    const identify = ({ token }: { readonly token?: string | undefined }) =>
      token === undefined ? undefined : { subject: 'ann', tenant: token };
    const scheme = { type: 'http', scheme: 'Bearer' } as const;
    const { peer } = await serve({ auth: custom(identify, { scheme }) });
    const sent = await peer.call('SendMessage', sendParams('who?'), { authorization: 'Bearer globex' });
    expect(sent.task.artifacts[0].parts[0].text).toBe('ann of globex');
  });

  it.each(['--file', '--db'])('is kept with keys that the command line makes (%s)', async (place) => {
    const file = tempFile('keys');
    const made = await cli(['keys', 'create', 'ann', '--tenant', 'acme', '--id', 'anns', place, file]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    await cli(['keys', 'create', 'bob', '--id', 'bobs', place, file]);
    const options =
      place === '--file' ? { auth: apiKeys({ file }) } : { auth: apiKeys(), store: sqlite(file), mounts: [] };
    const { peer } = await serve(options);
    const { task } = await peer.call('SendMessage', sendParams('who?'), { 'x-api-key': made.stdout.trim() });
    expect(task.artifacts[0].parts[0].text).toBe('ann of acme');
    const listed = await cli(['keys', 'list', place, file]);
    expect(listed.stdout.split('\n').map((line) => line.split('\t')[4])).toEqual(['acme', '', undefined]);
    const [first, second] = objectsOf((await cli(['keys', 'list', place, file, '--json'])).stdout);
    expect([first.tenant, second.tenant]).toEqual(['acme', undefined]);
    const wrong = await cli(['keys', 'create', 'ann', '--tenant', '', place, file]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--tenant cannot be used') });
  });

  it('may be named by its own callers, though the server lists none', async () => {
    const { peer, url } = await serve({ auth: await authOf([ANN]) });
    const headers = await memberProof(ANN, 'API key');
    const { task } = await peer.call('SendMessage', { ...sendParams('who?'), tenant: 'acme' }, headers);
    const read = await fetch(`${url}/a2a/acme/tasks/${task.id}`, { headers: { ...headers, 'a2a-version': '1.0' } });
    expect(((await read.json()) as { id: string }).id).toBe(task.id);
    expect((await peer.error('GetTask', { id: task.id, tenant: 'globex' }, headers)).code).toBe(-32001);
  });

  it('must be one that the server has, where it says which there are', async () => {
    const { peer, url } = await serve({
      auth: await authOf([ANN, { name: 'eve', tenant: 'tasks' }]),
      tenants: ['globex'],
    });
    for (const member of [ANN, { name: 'eve', tenant: 'tasks' }]) {
      const headers = await memberProof(member, 'API key');
      for (const [method, params] of [
        ['SendMessage', sendParams('who?')],
        ['ListTasks', {}],
        ['GetTask', { id: 'x' }],
      ] as const) {
        const response = await peer.request(method, params, headers);
        expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('is not served here')]);
      }
      const card = await fetch(`${url}/a2a/${member.tenant}x/.well-known/agent-card.json`, { headers });
      expect(card.status).toBe(404);
    }
  });
});

it('agents call each other for the tenant of their caller, whom the server need not list', async () => {
  const inner = defineAgent({ name: 'inner', description: 'Tells', version: '1.0.0', run: (task) => teller.run(task) });
  const outer = defineAgent({
    name: 'outer',
    description: 'Asks',
    version: '1.0.0',
    run: async (task) => {
      const child = await task.call(inner, 'who?');
      return isTask(child) ? textOf(child) : 'a message';
    },
  });
  const { peer } = await serve({ agents: [outer, inner], mounts: [], auth: await authOf([ANN]) });
  const { task } = await peer.call('SendMessage', sendParams('go'), await memberProof(ANN, 'API key'));
  expect(task.artifacts[0].parts[0].text).toBe('ann of acme');
});

describe('a name', () => {
  it.each([
    'tasks',
    'v1',
    'operator',
    '.',
    '..',
    '',
    '.well-known',
  ])('%j cannot be that of a tenant [rule:tenant.fixed-routes]', async (name) => {
    expect(() => new A2AServer({ agents: [teller], tenants: ['acme', name] })).toThrow('cannot be a tenant');
    const { peer } = await serve({ tenants: () => true });
    if (name !== '') expect((await peer.error('SendMessage', { ...sendParams('x'), tenant: name })).code).toBe(-32001);
  });

  it('of a mount below the base cannot be that of a tenant', () => {
    const mounts = [{ path: '/a2a/acme', dialect: 'v1_draft' }] as const;
    expect(() => new A2AServer({ agents: [teller], tenants: ['acme'], mounts })).toThrow('"acme" cannot be a tenant');
  });

  it.each([
    ['is kept', async () => true],
    ['is broken', () => Promise.reject(new Error('The list of tenants is away'))],
  ])('is not known because a function returns a promise, which %s; the log says so', async (_, tenants) => {
    const causes: string[] = [];
    const error = (_text: string, details?: Readonly<Record<string, unknown>>) =>
      void causes.push(String(details?.error));
    const log = { error, warn: () => undefined };
    const { peer } = await serve({ log, tenants: tenants as unknown as () => boolean });
    expect((await peer.error('SendMessage', { ...sendParams('x'), tenant: 'acme' })).code).toBe(-32603);
    expect(causes).toEqual(['TypeError: The function tenants must return its result at once, not a promise']);
  });
});
