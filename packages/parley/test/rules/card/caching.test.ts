import type { AgentDefinition } from 'parley-a2a';
import { expect, it } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';

const WELL_KNOWN = '/.well-known/agent-card.json';
const echo = (more: Partial<AgentDefinition> = {}) => agentOf((task) => task.text, more);

it('says how long a card may be kept [rule:card.cache-control]', async () => {
  const usual = startServer(echo());
  expect((await usual.peer.raw(WELL_KNOWN)).headers.get('cache-control')).toMatch(/(^|, )max-age=[1-9]\d*($|,)/);
  const set = startServer(echo(), { card: { maxAge: 60 } });
  expect((await set.peer.raw(WELL_KNOWN)).headers.get('cache-control')).toMatch(/(^|, )max-age=60($|,)/);
});

it('has a quoted ETag that changes exactly with the card [rule:card.etag]', async () => {
  const etagOf = async (more: Partial<AgentDefinition>) => {
    const { peer } = startServer(echo(more));
    const first = (await peer.raw(WELL_KNOWN)).headers.get('etag');
    expect((await peer.raw(WELL_KNOWN)).headers.get('etag')).toBe(first);
    return first;
  };
  const same = await etagOf({});
  expect(same).toMatch(/^"[^"]+"$/);
  expect(await etagOf({})).toBe(same);
  const changed = [{ version: '1.0.1' }, { description: 'Another' }, { streaming: false }, { iconUrl: 'https://x/i' }];
  const etags = await Promise.all(changed.map(etagOf));
  expect(new Set([same, ...etags]).size).toBe(5);
});

it('answers 304 without a body to the current ETag [rule:card.not-modified]', async () => {
  const { peer } = startServer(echo());
  const etag = (await peer.raw(WELL_KNOWN)).headers.get('etag') ?? '';
  for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await peer.raw(WELL_KNOWN, { headers: { 'if-none-match': match } });
    expect(response.status, match).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toContain('max-age=');
  }
  const response = await peer.raw(WELL_KNOWN, { headers: { 'if-none-match': '"other"' } });
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveProperty('name', 'test');
});

it('answers 304 to a date that is not older than the card, unless an ETag says otherwise [rule:card.not-modified]', async () => {
  const clock = settableClock('2026-03-01T12:00:00.700Z');
  const { peer } = startServer(echo(), { clock });
  const changed = (await peer.raw(WELL_KNOWN)).headers.get('last-modified') ?? '';
  expect(changed).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  const statusFor = async (headers: Record<string, string>) => (await peer.raw(WELL_KNOWN, { headers })).status;
  expect(await statusFor({ 'if-modified-since': changed })).toBe(304);
  expect(await statusFor({ 'if-modified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' })).toBe(200);
  expect(await statusFor({ 'if-modified-since': 'yesterday' })).toBe(200);
  expect(await statusFor({ 'if-modified-since': changed, 'if-none-match': '"other"' })).toBe(200);
});

it('varies by version, and no two shapes share an ETag [rule:card.vary]', async () => {
  const { peer } = startServer(echo());
  const shapes = new Map<string, Set<string>>();
  for (const version of [undefined, '1.0', '0.3']) {
    const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
    const response = await peer.raw(WELL_KNOWN, { headers });
    if (!response.ok) continue;
    expect(response.headers.get('vary')?.toLowerCase()).toContain('a2a-version');
    const etag = response.headers.get('etag') ?? '';
    shapes.set(etag, (shapes.get(etag) ?? new Set()).add(await response.text()));
  }
  expect(shapes.size).toBeGreaterThan(0);
  for (const [etag, bodies] of shapes) expect(bodies.size, etag).toBe(1);
});

it('varies by version in a 304 too [rule:card.vary]', async () => {
  const { peer } = startServer(echo());
  const response = await peer.raw(WELL_KNOWN, { headers: { 'if-none-match': '*' } });
  expect(response.headers.get('vary')?.toLowerCase()).toContain('a2a-version');
});
