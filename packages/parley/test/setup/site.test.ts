import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAPTERS } from '../../../../scripts/docs/chapters.ts';
import { PUBLIC_ADDRESS } from '../../../../scripts/docs/public-address.ts';
import { ROOT, shellEnvironment, temporaryFolder } from './support/repository.ts';
import { filesUnder } from './support/workspace-copy.ts';

const VITEPRESS = join(ROOT, 'node_modules/vitepress/bin/vitepress.js');

describe('the site of the documents', () => {
  const { folder, remove } = temporaryFolder();
  const site = join(folder, 'site');
  afterAll(remove);

  // The build fails by itself on a link to a page that is not there.
  beforeAll(async () => {
    const env = { ...shellEnvironment(), NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [VITEPRESS, 'build', 'docs', '--outDir', site], { cwd: ROOT, env });
  });

  it('has a page for each document', () => {
    const paths = CHAPTERS.flatMap(({ pages }) => pages.map(({ path }) => path));
    const files = paths.map((path) => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(['index.html', ...files].filter((file) => !existsSync(join(site, file)))).toEqual([]);
  });

  it('can be searched without a server', () => {
    expect(filesUnder(site).filter((path) => /localSearchIndex/.test(path))).not.toEqual([]);
  });

  it('loads nothing from another host', () => {
    const pages = filesUnder(site).filter((path) => path.endsWith('.html'));
    const loaded = pages.flatMap((page) =>
      [
        ...readFileSync(join(site, page), 'utf8').matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="(https?:[^"]+)"/g),
      ].map(([, address]) => `${page}: ${address}`),
    );
    expect(loaded).toEqual([]);
  });

  it('has links to edit a page only where there is a public address', () => {
    const text = readFileSync(join(site, 'hosting.html'), 'utf8');
    expect(text.includes('Edit this page')).toBe(PUBLIC_ADDRESS !== '');
  });

  it('has the texts for language models', () => {
    expect(readFileSync(join(site, 'llms.txt'), 'utf8')).toContain('](/tutorials/first-agent.html)');
    expect(readFileSync(join(site, 'llms-full.txt'), 'utf8')).toContain('# Your first agent');
  });
});
