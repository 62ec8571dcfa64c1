import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerCore } from '../../src/server/core/core.ts';
import { belowPrefix, matchedPrefix } from '../../src/server/routing/paths.ts';
import { contractAgents } from './support/agents.ts';

const SEGMENTS = [
  'a2a',
  'api',
  'v1',
  'agents',
  'test',
  'tasks',
  'message:send',
  'stream',
  'health',
  'healthz',
  'livez',
  'readyz',
  '.well-known',
  'agent-card.json',
  'agent.json',
  'ai-catalog.json',
  'jwks.json',
  'users',
  'jaf',
  '',
];
const path = fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
const basePath = fc.constantFrom('/a2a', '/', '/deep/base');
const prefix = fc.constantFrom('', '/place');

function coreAt(base: string): ServerCore {
  return new ServerCore({ agents: contractAgents, basePath: base, mounts: [{ path: '/jaf', dialect: 'jaf' }] });
}

describe('the addresses of a server in an app', () => {
  it('are announced to frameworks that ask before there is a request', () => {
    fc.assert(
      fc.property(path, basePath, prefix, (asked, base, mountedAt) => {
        const core = coreAt(base);
        const isAnnounced = core
          .addresses(mountedAt)
          .some(
            ({ path: known, below }) =>
              [known, `${known}/`].includes(asked) || (below && asked.startsWith(`${known}/`)),
          );
        expect(isAnnounced || !core.serves(asked, mountedAt)).toBe(true);
      }),
    );
  });

  it('are all served', () => {
    for (const base of ['/a2a', '/deep/base']) {
      for (const mountedAt of ['', '/place']) {
        const core = coreAt(base);
        for (const { path: known, below } of core.addresses(mountedAt)) {
          const example = known === '/v1' ? '/v1/message:send' : known;
          expect([example, core.serves(example, mountedAt)]).toEqual([example, true]);
          if (below) expect(core.serves(`${known}/card?x=1`, mountedAt)).toBe(known !== '/api/a2a' && known !== '/jaf');
        }
      }
    }
  });

  it('leave to an app at its root what is about the whole of it', () => {
    const core = coreAt('/a2a');
    const own = ['/', '/healthz', '/livez', '/readyz', '/v1', '/v1/users', '/v1/tasks/1/2/3', '/nowhere', '/a2abc'];
    expect(own.filter((each) => core.serves(each))).toEqual([]);
    expect(['/', '/healthz', '/readyz/', '/?x=1'].filter((each) => !core.serves(each, '/place'))).toEqual([]);
    expect(['/a2a/health', '/v1/tasks/1', '/v1/card', '/a2a?x=1'].filter((each) => !core.serves(each))).toEqual([]);
  });
});

it('finds what is below a prefix', () => {
  const cases = ['/place', '/place/', '/place?x=1', '/place/a2a?x=1', '/placebo', '/other'];
  expect(cases.map((url) => belowPrefix(url, '/place'))).toEqual(['/', '/', '/?x=1', '/a2a?x=1', undefined, undefined]);
  expect(belowPrefix('/a2a', '')).toBe('/a2a');
});

it('finds the prefix that a pattern stands for', () => {
  expect(matchedPrefix('/t/acme/a2a?x=/y/z', '/t/:tenant')).toBe('/t/acme');
  expect(matchedPrefix('/t/acme?x=/y/z', '/t/:tenant')).toBe('/t/acme');
  expect(matchedPrefix('/a2a/tasks', '')).toBe('');
});
