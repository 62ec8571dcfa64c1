import { A2AClient, bytes, isTask, json, link } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { tempFile } from '../support/temp-folder.ts';
import { startRelay } from './support/relay.ts';
import { watched } from './support/watching.ts';

const EVIL = `<script>alert(1)</script><img src=x onerror="alert('2')">&amp;`;
const HARMLESS =
  '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;2&#39;)&quot;&gt;&amp;amp;';

/** A pair in which a has said `one` and b has joined with `here`. */
async function met(contextId = 'pair', store?: Parameters<typeof startRelay>[0]) {
  const relay = await startRelay(store);
  const client = await A2AClient.connect(relay.url);
  const page = `${relay.url}/pairs/${encodeURIComponent(contextId)}`;
  const a = await client.sendMessage('one', { contextId, returnImmediately: true });
  await eventually(async () => (await fetch(page)).text()).toContain('message-1');
  const b = await client.sendMessage('here', { contextId });
  if (!isTask(a) || !isTask(b)) throw new Error('Tasks were expected');
  return { relay, client, page, a: a.id, b: b.id };
}

const headersOf = async (url: string) => (await fetch(url)).headers;
const textOfPage = async (url: string) => (await fetch(url)).text();

describe('the page of a pair', () => {
  it('shows who said what, in order, and whose turn it is', async () => {
    const { client, page, b } = await met();
    await client.sendMessage('two', { taskId: b, returnImmediately: true });
    await eventually(() => textOfPage(page)).toContain('It is A’s turn.');
    const shown = await textOfPage(page);
    const said = [...shown.matchAll(/<li class="(.)".*?<p>(.*?)<\/p>/gs)].map(([, side, text]) => [side, text]);
    expect(said).toEqual([
      ['a', 'one'],
      ['b', 'here'],
      ['b', 'two'],
    ]);
    expect(shown).toContain('<b>A</b> input-required');
    expect(shown).toContain('<b>B</b> working');
  });

  it('escapes all that participants say, and runs nothing but its own script', async () => {
    const { client, page, b } = await met(`${EVIL}/"pair"`);
    await client.sendMessage(
      [
        EVIL,
        json({ [EVIL]: EVIL }),
        bytes('x', { filename: EVIL, mediaType: 'text/html' }),
        link(`javascript:alert("${EVIL}")`),
        link(`https://example.net/"onclick="alert(1)`),
      ],
      { taskId: b, returnImmediately: true },
    );
    await eventually(() => textOfPage(page)).toContain('It is A’s turn.');
    const shown = await textOfPage(page);
    expect(shown).not.toContain(EVIL);
    expect(shown).toContain(`<p>${HARMLESS}</p>`);
    expect(shown).toContain(`<h1>Pair ${HARMLESS}/&quot;pair&quot;</h1>`);
    expect(shown).not.toMatch(/href="javascript:/i);
    expect(shown).toContain('href="https://example.net/&quot;onclick=&quot;alert(1)"');
    expect(shown.match(/<script/g)).toHaveLength(1);
    const policy = (await headersOf(page)).get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; script-src 'nonce-[\w-]+'; connect-src 'self'/,
    );
    const { messages } = await watched(page, (all) => all.length === 3);
    expect(messages.map(({ html }) => html).join('')).not.toMatch(/<script|<img|"onclick="|href="javascript/);
    const list = await textOfPage(new URL('/', page).href);
    expect(list).not.toContain(EVIL);
    expect(list).toContain(`href="${new URL(page).pathname.replaceAll("'", '&#39;')}"`);
  });

  it('is not there for other methods and paths', async () => {
    const { url } = await startRelay();
    const status = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status;
    expect(await status('/pairs/%E0%A4%A')).toBe(404);
    expect(await status('/pairs/')).toBe(404);
    expect(await status('/pairs/a/b/c')).toBe(404);
    expect(await status('/', 'POST')).toBe(405);
    expect(await textOfPage(`${url}/`)).toContain('There is no pair yet.');
    expect(await status('/healthz')).toBe(200);
  });
});

describe('the events of a pair', () => {
  it('come as they happen, each message under its number (S4.4)', async () => {
    const { client, page, a, b } = await met();
    const headers = await fetch(`${page}/events`).then(async (response) => {
      await response.body?.cancel();
      return response.headers;
    });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    const all = watched(page, (_, standing) => standing?.isSettled === true);
    await client.sendMessage('two', { taskId: b, returnImmediately: true });
    await eventually(async () => (await client.getTask(a)).status.state).toBe('input-required');
    await client.sendMessage('three', { taskId: a, returnImmediately: true });
    await eventually(async () => (await client.getTask(b)).status.state).toBe('input-required');
    await client.cancelTask(b);
    const { messages, standings } = await all;
    expect(messages.map(({ number, side, parts }) => [number, side, parts[0]])).toEqual([
      [1, 'a', { kind: 'text', text: 'one' }],
      [2, 'b', { kind: 'text', text: 'here' }],
      [3, 'b', { kind: 'text', text: 'two' }],
      [4, 'a', { kind: 'text', text: 'three' }],
    ]);
    expect(standings[0]).toMatchObject({ a: 'working', b: 'input-required', turn: 'b', isOver: false });
    expect(standings.at(-1)).toMatchObject({ a: 'canceled', b: 'canceled', isOver: true });
  });

  it('are there before anybody has said anything, and bring the first message (S4.7)', async () => {
    const { url } = await startRelay();
    const page = `${url}/pairs/early`;
    expect(await textOfPage(page)).toContain('Waiting for the first participant.');
    const [begun, seen] = [Promise.withResolvers<void>(), [] as string[]];
    const all = watched(page, (messages, standing) => {
      if (standing) begun.resolve();
      if (standing && seen.at(-1) !== standing.a) seen.push(standing.a);
      return messages.length === 1;
    });
    await begun.promise;
    const client = await A2AClient.connect(url);
    await client.sendMessage('one', { contextId: 'early', returnImmediately: true });
    const { messages } = await all;
    expect(messages.map(({ number, side, parts }) => [number, side, parts[0]])).toEqual([
      [1, 'a', { kind: 'text', text: 'one' }],
    ]);
    expect(seen[0]).toBe('absent');
  });

  it('stay open when a talk is over, and bring the next one (S4.7)', async () => {
    const { client, page, a } = await met();
    const settled = Promise.withResolvers<void>();
    const all = watched(page, (messages, standing) => {
      if (standing?.isSettled) settled.resolve();
      return messages.length === 3 && standing?.epoch === 2;
    });
    await client.cancelTask(a);
    await settled.promise;
    await client.sendMessage('again', { contextId: 'pair', returnImmediately: true });
    const { messages, standings } = await all;
    expect(messages.map(({ number, epoch }) => [number, epoch])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
    expect(standings.at(-1)).toMatchObject({ epoch: 2, a: 'working', b: 'absent', isOver: false });
  });

  it('go on behind Last-Event-ID, also after a restart, and from the start where that makes no sense', async () => {
    const file = tempFile('relay.db');
    const { relay, page } = await met('pair', sqlite(file));
    const numbers = async (url: string, lastEventId?: number) =>
      (await watched(url, (_, standing) => standing !== undefined, lastEventId)).messages.map(({ number }) => number);
    expect(await numbers(page)).toEqual([1, 2]);
    expect(await numbers(page, 1)).toEqual([2]);
    expect(await numbers(page, 2)).toEqual([]);
    await relay.stop();
    const again = `${(await startRelay(sqlite(file))).url}/pairs/pair`;
    expect(await numbers(again, 1)).toEqual([2]);
    expect(await numbers(again, Number.NaN)).toEqual([1, 2]);
    expect(await numbers(again, 3)).toEqual([1, 2]);
  });
});

it('publishes the card of a relay (S4.5)', async () => {
  const { url } = await startRelay();
  const response = await fetch(`${url}/.well-known/agent-card.json`, { headers: { 'a2a-version': '0.3' } });
  expect(await response.json()).toMatchObject({
    protocolVersion: '0.3.0',
    name: 'parley-bridge',
    url: `${url}/a2a`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: expect.arrayContaining([{ url: `${url}/a2a`, transport: 'JSONRPC' }]),
    capabilities: { streaming: true },
    defaultInputModes: expect.arrayContaining(['text/plain', 'application/json']),
    skills: [{ id: 'flip-proxy', tags: ['relay', 'chat', 'proxy'] }],
  });
});
