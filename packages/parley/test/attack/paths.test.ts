import { describe, expect, it } from 'vitest';
import { type RawAnswer, sendRaw } from './support/raw-request.ts';
import { OFFICIAL, Recorder } from './support/recorded.ts';
import { type Headers, proofOf, startVictim, type Victim } from './support/victim.ts';

/** Spellings of a path that some proxy, framework or file system takes for the path itself. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '/./'),
  (path) => path.replaceAll('/', '/x/../'),
  (path) => `/healthz/..${path}`,
  (path) => `/healthz/%2e%2e${path}`,
  (path) => `/healthz%2f..${path}`,
  (path) => `/.well-known/agent-card.json/../..${path}`,
  (path) => `/.well-known/agent-card.json/%2e%2e/%2e%2e${path}`,
  (path) => `/a2a/agents/test/card/../../../..${path}`,
  (path) => `/.well-known/oauth-protected-resource${path}`,
  (path) => `/.well-known/oauth-protected-resource/..${path}`,
  (path) => `${path}/.well-known/agent-card.json`,
  (path) => `${path}/../healthz`,
  (path) => `${path}%2f..%2fhealthz`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}%00`,
  (path) => `${path}%00.json`,
  (path) => `${path};x=y`,
  (path) => `${path}.json`,
  (path) => `${path}#/healthz`,
  (path) => `${path}?/healthz`,
  (path) => path.toUpperCase(),
  (path) => path.replace('a2a', 'A2A'),
  (path) => path.replace('a2a', '%61%32%61'),
  (path) => path.replace('tasks', '%74asks'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('/', '%5c'),
  (path) => path.replace('a2a', '%2561%2532%2561'),
  (path) => `http://localhost${path}`,
  (path) => `http://healthz${path}`,
  (path) => `http://user:pass@localhost/healthz/..${path}`,
  (path) => `//localhost${path}`,
];

const VERBS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

/** What anybody may read. */
const PUBLIC =
  /^(?:\{"status":"ok"\}|This is a Parley A2A server|\{"resource":|\{"agents":\[|\[?\{.*"(?:protocolVersion|skills)":)/s;

/** What the agent has said in Ann's tasks. */
const SAID = /More\?|"done"/;

async function start() {
  const victim = await startVictim();
  const recorder = new Recorder(victim.url, OFFICIAL, await proofOf('ann', 'API key'));
  const { taskId } = await recorder.begin();
  const { taskId: finished } = await recorder.begin('finish');
  const paths = [
    '/a2a/tasks',
    `/a2a/tasks/${taskId}`,
    `/a2a/tasks/${taskId}:cancel`,
    `/a2a/tasks/${finished}:subscribe`,
    '/a2a/operator/tasks',
    '/a2a/extendedAgentCard',
    '/a2a',
  ];
  return { victim, paths, taskId };
}

/** Sends a request that no client would; one that Node's own client or parser refuses is no attack. */
async function probe({ url }: Victim, method: string, path: string, headers: Headers): Promise<RawAnswer | undefined> {
  const body = method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}' : undefined;
  const all = { 'a2a-version': '1.0', 'content-type': 'application/json', ...headers };
  try {
    return await sendRaw(url, { method, path, headers: all, body });
  } catch (error) {
    if (error instanceof Error && /unescaped characters/.test(error.message)) return undefined;
    throw error;
  }
}

describe('a path', () => {
  it('that is spelled otherwise leads nobody past the guard', async () => {
    const { victim, paths } = await start();
    victim.lookups.length = 0;
    for (const path of paths) {
      for (const spell of SPELLINGS) {
        for (const method of VERBS) {
          const answer = await probe(victim, method, spell(path), {});
          if (!answer) continue;
          const title = `${method} ${spell(path)}: ${answer.status} ${answer.body.slice(0, 100)}`;
          if (answer.status < 400 && method !== 'OPTIONS' && method !== 'HEAD')
            expect(answer.body, title).toMatch(PUBLIC);
          expect(answer.status, title).toBeLessThan(500);
          expect(answer.body, title).not.toMatch(SAID);
        }
      }
    }
    expect(victim.lookups).toEqual([]);
    expect(victim.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that is spelled otherwise shows Bob nothing of Ann', async () => {
    const { victim, paths, taskId } = await start();
    const bob = await proofOf('bob', 'API key');
    for (const path of paths) {
      for (const spell of SPELLINGS) {
        for (const method of VERBS) {
          const answer = await probe(victim, method, spell(path), bob);
          if (!answer) continue;
          const title = `${method} ${spell(path)}: ${answer.status} ${answer.body.slice(0, 100)}`;
          expect(answer.status, title).toBeLessThan(500);
          expect(answer.body, title).not.toMatch(SAID);
        }
      }
    }
    const ann = await proofOf('ann', 'API key');
    const still = await probe(victim, 'GET', `/a2a/tasks/${taskId}`, ann);
    expect(still?.body).toContain('TASK_STATE_INPUT_REQUIRED');
    expect(victim.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

/** Headers that some proxy or framework lets decide about the address, the verb or the caller. */
const HEADERS: readonly Headers[] = [
  { 'x-original-url': '/healthz' },
  { 'x-rewrite-url': '/healthz' },
  { 'x-forwarded-uri': '/healthz' },
  { 'x-forwarded-prefix': '/healthz' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-real-ip': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1;by=127.0.0.1;host=localhost' },
  { host: 'localhost' },
  { host: 'relay.internal' },
  { 'x-http-method-override': 'OPTIONS' },
  { 'x-http-method': 'OPTIONS' },
  { 'x-method-override': 'GET' },
  { 'x-forwarded-user': 'ann' },
  { 'x-remote-user': 'ann' },
  { 'remote-user': 'ann' },
  { 'x-authenticated-userid': 'ann' },
  { 'x-user': 'ann', 'x-tenant': 'acme', 'x-a2a-tenant': 'acme' },
  { 'x-client-cert': 'CN=ann', 'x-ssl-client-s-dn': 'CN=ann', 'x-forwarded-client-cert': 'Subject="CN=ann"' },
  { 'x-parley-caller': 'ann', 'x-parley-operator': '1', 'x-parley-debug': '1' },
  { 'x-a2a-scopes': 'parley:operator', scope: 'parley:operator' },
  { origin: 'null' },
  { connection: 'close, x-api-key' },
  { 'proxy-authorization': 'Bearer x' },
];

/** The status of requests that the server on loopback refuses to anybody. */
function refusedAs({ host, origin }: Headers): number | undefined {
  if (host !== undefined && host !== 'localhost') return 421;
  return origin === undefined ? undefined : 403;
}

describe('a header', () => {
  it.each(HEADERS)('lets nobody in: %j', async (headers) => {
    const { victim, paths } = await start();
    victim.lookups.length = 0;
    for (const path of paths) {
      const answer = await probe(victim, 'GET', path, headers);
      const refused = refusedAs(headers) ?? 401;
      expect([path, answer?.status], answer?.body).toEqual([path, refused]);
      expect((await probe(victim, 'POST', path, headers))?.status).toBe(refused);
    }
    expect(victim.lookups).toEqual([]);
  });

  it.each(HEADERS)('makes Bob nobody else: %j', async (headers) => {
    const { victim, taskId } = await start();
    const bob = await proofOf('bob', 'token');
    const get = await probe(victim, 'GET', `/a2a/tasks/${taskId}`, { ...headers, ...bob });
    const refused = refusedAs(headers);
    if (refused !== undefined) {
      expect(get?.status).toBe(refused);
      return;
    }
    expect([get?.status, get?.body.includes('TASK_NOT_FOUND')]).toEqual([404, true]);
    const list = await probe(victim, 'GET', '/a2a/tasks', { ...headers, ...bob });
    expect([list?.status, list?.body.includes('"totalSize":0')]).toEqual([200, true]);
    for (const path of ['/a2a/operator/tasks', '/a2a/operator']) {
      expect((await probe(victim, 'POST', path, { ...headers, ...bob }))?.status).not.toBe(200);
    }
    expect((await probe(victim, 'GET', '/a2a/operator/tasks', { ...headers, ...bob }))?.status).toBe(403);
  });

  it("that is there twice is nobody's key, and no two callers", async () => {
    const { victim, taskId } = await start();
    const [ann, bob] = [await proofOf('ann', 'API key'), await proofOf('bob', 'API key')];
    const path = `/a2a/tasks/${taskId}`;
    const twice = (name: string, ...values: readonly (string | undefined)[]) =>
      sendRaw(victim.url, { method: 'GET', path, headers: { [name]: values.map((value) => value ?? '') } });
    for (const values of [
      [ann['x-api-key'], bob['x-api-key']],
      [bob['x-api-key'], ann['x-api-key']],
      [ann['x-api-key'], ann['x-api-key']],
      [ann['x-api-key'], 'x'],
    ]) {
      expect((await twice('x-api-key', ...values)).status).toBe(401);
    }
    const [annsToken, bobsToken] = [await proofOf('ann', 'token'), await proofOf('bob', 'token')];
    // Of two tokens Node keeps the first; the second never makes it another caller's.
    expect((await twice('authorization', bobsToken.authorization, annsToken.authorization)).status).not.toBe(200);
    expect((await twice('authorization', 'Bearer x', annsToken.authorization)).status).toBe(401);
  });

  it('with a wrong credential is refused, also beside a right one', async () => {
    const { victim } = await start();
    const [key, token] = [await proofOf('ann', 'API key'), await proofOf('ann', 'token')];
    const wrongToken = { authorization: `${token.authorization}x` };
    const wrongKey = { 'x-api-key': 'wrong' };
    for (const headers of [
      { ...key, ...wrongKey },
      { ...wrongKey, ...token },
    ]) {
      expect((await probe(victim, 'GET', '/a2a/tasks', headers))?.status).toBe(401);
    }
    expect((await probe(victim, 'GET', '/a2a/tasks', wrongToken))?.status).toBe(401);
  });
});
