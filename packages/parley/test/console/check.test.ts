import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AServer } from 'parley-a2a';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/index.ts';
import { MOST_CHECKS } from '../../src/server/console/check/checking.ts';
import type { CheckedRule, CheckLine, CheckRequest } from '../../src/server/operator/check-api.ts';
import { agentOf, gate, hang } from '../support/script.ts';

const quiet = { error: () => {}, warn: () => {} };
const SECRET = 'the-token-of-the-boss';

/** Runs until it is canceled. */
let onRun: () => void = () => {};
const stuck = agentOf(
  (task) => {
    onRun();
    return hang(task);
  },
  { name: 'stuck' },
);

const server = new A2AServer({
  agents: [lab, stuck],
  console: true,
  log: quiet,
  drainTimeout: 0,
  push: { retry: { firstDelay: 20 } },
});
const guarded = new A2AServer({
  agents: [lab],
  console: true,
  auth: {
    type: 'bearer',
    validate: (token) => ({ subject: token, scopes: token === SECRET ? ['parley:operator'] : [] }),
  },
  log: quiet,
});
const elsewhere = new A2AServer({ agents: [lab], log: quiet });

/** Serves what a test puts there. */
let card: object | undefined;
const hostile = createServer((request, response) => answer(request, response));
const visited: string[] = [];
function answer(request: IncomingMessage, response: ServerResponse): void {
  visited.push(`${request.method} ${request.url}`);
  if (request.url?.startsWith('/moved')) response.writeHead(302, { location: `${place}/inner` }).end();
  else if (card && request.url?.includes('agent-card')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
  } else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
}
let place = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  place = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  await Promise.all([server.listen({ port: 0 }), guarded.listen({ port: 0 }), elsewhere.listen({ port: 0 })]);
});
afterAll(async () => {
  hostile.closeAllConnections();
  hostile.close();
  await Promise.all([server.close(), guarded.close(), elsewhere.close()]);
});

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const post = (request: unknown, url = server.url, { headers = {}, ...init }: PostOptions = {}) =>
  fetch(`${url}/a2a/operator/check`, {
    method: 'POST',
    body: JSON.stringify(request),
    ...init,
    headers: { 'content-type': 'application/json', ...headers },
  });

async function check(request: CheckRequest, url?: string, headers: Record<string, string> = {}) {
  const response = await post(request, url, { headers });
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')], text).toEqual([200, 'application/x-ndjson']);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CheckLine]));
}

const rulesIn = (lines: readonly CheckLine[]) => lines.filter((line): line is CheckedRule => line.kind === 'rule');
const wordsOf = (rules: readonly CheckedRule[], ...verdicts: readonly string[]) =>
  rules.flatMap(({ id, verdict, outcomes }) =>
    verdicts.includes(verdict) ? [`${id}: ${outcomes.map(({ reason }) => reason).join('; ')}`] : [],
  );

describe('a check that an operator asks for', () => {
  it('looks at an agent of the server itself, and tells each rule with its requests and responses', async () => {
    const lines = await check({ agent: 'lab', only: ['card', 'send', 'errors', 'security'] });
    const rules = rulesIn(lines);
    expect(lines[0]).toMatchObject({
      kind: 'begin',
      agent: 'lab',
      url: `${server.url}/a2a/agents/lab`,
      interfaces: ['1.0 jsonrpc', '1.0 rest', '0.3 jsonrpc', '0.3 rest'],
      rules: rules.length,
    });
    expect(lines.at(-1)).toMatchObject({ kind: 'summary', counts: { FAIL: 0, WARN: 0 } });
    expect(rules.length).toBeGreaterThan(30);
    expect(wordsOf(rules, 'FAIL', 'WARN')).toEqual([]);
    const passed = rules.filter(({ verdict }) => verdict === 'PASS');
    expect(passed.length).toBeGreaterThan(20);
    const exchanges = rules.flatMap(({ outcomes }) => outcomes.flatMap((outcome) => outcome.exchanges));
    expect(exchanges).toContainEqual(
      expect.objectContaining({
        request: expect.objectContaining({ method: 'POST', url: `${server.url}/a2a/agents/lab` }),
        response: expect.objectContaining({ status: 200, body: expect.stringContaining('"jsonrpc":"2.0"') }),
      }),
    );
  });

  it('looks at an outside agent by its address, through the guard', async () => {
    const lines = await check({ url: `${elsewhere.url}/a2a/agents/lab`, only: ['send'] });
    expect(wordsOf(rulesIn(lines), 'FAIL', 'WARN')).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ kind: 'summary', counts: { PASS: expect.any(Number) } });
  });

  it('tells each rule as soon as it is known, while others are still looked at', async () => {
    const begun = gate();
    onRun = () => begun.resolve();
    const leaving = new AbortController();
    const response = await post({ agent: 'stuck', only: ['card', 'send'] }, server.url, { signal: leaving.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"kind":"rule"')) text += (await reader?.read())?.value;
    expect(text).toMatch(/^\{"kind":"begin"/);
    // A message was sent whose response never comes.
    await begun.promise;
    leaving.abort();
  });

  it(`runs ${MOST_CHECKS} at once, and takes the next as soon as they are left`, async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    // The check of the test before may be about to end.
    const start = async () => (await post({ agent: 'stuck', only: ['send'] }, server.url, { signal })).status;
    for (let count = 0; count < MOST_CHECKS; count += 1) await expect.poll(start).toBe(200);
    const refused = await post({ agent: 'stuck' });
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { detail: string }).detail).toContain(`${MOST_CHECKS} checks run already`);
    leaving.abort();
    const others = new AbortController();
    const startOther = async () => (await post({ agent: 'stuck' }, server.url, { signal: others.signal })).status;
    for (let count = 0; count < MOST_CHECKS; count += 1) await expect.poll(startOther).toBe(200);
    others.abort();
    const isFree = async () => (await post({ agent: 'lab', only: ['none'] })).status;
    await expect.poll(isFree).toBe(200);
  });

  it.each([
    [{}, 'Give agent'],
    [{ agent: 'lab', url: 'http://127.0.0.1/' }, 'Give agent'],
    [{ agent: 7 }, 'agent must be'],
    [{ url: 7 }, 'url must be'],
    [{ url: 'nowhere' }, 'must be an absolute URL'],
    [{ url: 'file:///etc/passwd' }, 'must begin with https or http'],
    [{ url: 'http://169.254.169.254/latest' }, 'must not lead to'],
    [{ url: 'http://10.0.0.1/' }, 'must not lead to'],
    [{ url: 'http://[fd00::1]/' }, 'must not lead to'],
    [{ url: 'http://user:pass@127.0.0.1/' }, 'must not hold a user name'],
    [{ agent: 'lab', headers: { 'a b': 'c' } }, 'has a name that is none'],
    [{ agent: 'lab', headers: { a: 'b\r\nc: d' } }, 'a text of one line'],
    [{ agent: 'lab', only: 'card' }, 'only must be a list'],
    [{ agent: 'lab', only: Array(301).fill('card') }, 'more than 300'],
    [{ agent: 'lab', timeout: 1 }, 'has no "timeout"'],
    [[1], 'must be a JSON object'],
  ])('refuses %j', async (request, problem) => {
    const response = await post(request);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual([400, expect.stringContaining(problem)]);
  });

  it('names the agents that there are', async () => {
    const response = await post({ agent: 'nobody' });
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('lab, stuck')]);
  });

  it('follows no card to another place, and no redirect', async () => {
    const there = { version: '1.0', skills: [], capabilities: {}, name: 'hostile', description: 'Leads astray' };
    const grpc = { url: 'http://169.254.169.254:80', protocolBinding: 'GRPC', protocolVersion: '1.0' };
    card = {
      ...there,
      supportedInterfaces: [grpc, { url: 'http://10.0.0.1/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    expect(await check({ url: place })).toMatchObject([
      { kind: 'error', code: 'INVALID_RESPONSE', message: expect.stringContaining('no interface that may be called') },
    ]);
    card = undefined;
    expect(await check({ url: `${place}/moved` })).toMatchObject([{ kind: 'error', code: 'UNAUTHENTICATED' }]);
    expect(visited).not.toContain('GET /inner');
  });

  it('says which rule there is none of', async () => {
    expect(await check({ agent: 'lab', only: ['card', 'sned'] })).toEqual([
      { kind: 'error', code: 'INVALID_PARAMS', message: expect.stringContaining('no rule or area "sned"') },
    ]);
  });

  it('says in words that nobody is there', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await check({ url: `http://127.0.0.1:${port}` })).toMatchObject([{ kind: 'error', code: 'UNREACHABLE' }]);
  });
});

describe('a check on a server that asks for credentials', () => {
  const boss = { authorization: `Bearer ${SECRET}` };

  it('is for operators, calls with their credential, and shows it to nobody', async () => {
    expect((await post({ agent: 'lab' }, guarded.url)).status).toBe(401);
    expect((await post({ agent: 'lab' }, guarded.url, { headers: { authorization: 'Bearer guest' } })).status).toBe(
      403,
    );
    const lines = await check({ agent: 'lab', only: ['send', 'security'] }, guarded.url, boss);
    expect(wordsOf(rulesIn(lines), 'FAIL', 'WARN')).toEqual([]);
    expect(rulesIn(lines).filter(({ verdict }) => verdict === 'PASS').length).toBeGreaterThan(10);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it('does not reach the machine of the server', async () => {
    const response = await post({ url: elsewhere.url }, guarded.url, { headers: boss });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('must not lead to')]);
  });

  it('is not there without the console', async () => {
    expect((await post({ agent: 'lab' }, elsewhere.url)).status).toBe(404);
  });
});
