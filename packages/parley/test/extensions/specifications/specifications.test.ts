import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { A2AServer } from 'parley-a2a';
import * as extensions from 'parley-a2a/extensions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import { AGENTS } from './agents.ts';
import { follow } from './document.ts';

const FOLDER = 'docs/extensions';
const DOCUMENTS = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.md') && name !== 'README.md');

describe('the specifications of extensions', () => {
  it.each(DOCUMENTS)('%s shows what a server sends', async (name) => {
    const server = new A2AServer({ agents: [...AGENTS], anonymous: 'shared' });
    onTestFinished(() => server.close());
    const followed = await follow(`${FOLDER}/${name}`, (request) => server.fetch(request));
    expect(followed).toBeGreaterThanOrEqual(2);
  });

  it('are there for every extension of the package, and the index lists them', () => {
    const index = readFileSync(join(ROOT, FOLDER, 'README.md'), 'utf8');
    const uris = Object.values(extensions).filter((value) => typeof value === 'string');
    expect(uris.length).toBeGreaterThanOrEqual(7);
    const texts = DOCUMENTS.map((name) => readFileSync(join(ROOT, FOLDER, name), 'utf8'));
    for (const uri of uris) {
      expect(index, uri).toContain(uri);
      expect(
        texts.some((text) => text.includes(`URI: \`${uri}\``)),
        uri,
      ).toBe(true);
    }
    for (const name of DOCUMENTS) expect(index).toContain(`(${name})`);
  });
});
