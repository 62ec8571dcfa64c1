import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REFERENCE_PAGES } from '../../../../scripts/reference/pages.ts';
import { makeReference } from '../../../../scripts/reference/write.ts';
import { ROOT } from './support/repository.ts';

describe('the pages of options', () => {
  const { pages, undescribed } = makeReference();

  it.each([...pages])('%s is as npm run reference makes it', (path, text) => {
    expect(readFileSync(join(ROOT, 'docs', path), 'utf8')).toBe(text);
  });

  it('have options whose type begins on a line of its own', () => {
    expect(pages.get('options/models.md')).toContain('| `prepareHistory` |');
  });

  it('describe every option', () => {
    expect(undescribed.map(({ file, name, member }) => `${file}: ${name}.${member}`)).toEqual([]);
  });

  it('have every interface of options that the package exports', () => {
    const shown = REFERENCE_PAGES.flatMap(({ sections }) => sections.map(([name]) => name));
    const reports = [
      'index',
      'auth',
      'cards',
      'client',
      'compat',
      'dialects',
      'fetch',
      'grpc',
      'koa',
      'llm',
      'mcp',
      'nats',
      'next',
      'node',
      'oauth',
      'oauth-node',
      'ports',
      'postgres',
      'push',
      'sqlite',
      'telemetry',
      'testing',
      'types',
    ];
    const exported = reports.flatMap((report) => {
      const [named = ''] = readFileSync(join(ROOT, 'packages/parley/api', `${report}.api.md`), 'utf8').split(
        '## Behind',
      );
      return [...named.matchAll(/^export interface (\w*(?:Options|Settings|Limits|Definition))\b/gm)].map(
        ([, name = '']) => name,
      );
    });
    expect(exported.length).toBeGreaterThan(90);
    // What `verifiedCards` returns, which clients are handed as a whole.
    expect(exported.filter((name) => !shown.includes(name) && name !== 'VerifyingOptions')).toEqual([]);
    expect(shown.filter((name, index) => shown.indexOf(name) !== index)).toEqual([]);
  });

  it('tell defaults apart from the rest', () => {
    const server = pages.get('options/server.md') ?? '';
    expect(server).toContain('| `basePath` | `/a2a` | `string`<br>');
    expect(server).toContain('| `maxAge` | 300 | `number`<br>Seconds for which clients may cache a card. |');
    expect(server).toMatch(/^\| `agents` \| required \| `[^`]+`<br>/m);
  });
});
