import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../src/sqlite.ts';
import { temporaryFolder } from '../setup/support/repository.ts';
import { cli } from './support/in-process.ts';

/** Every error names its cause and the next step; a new one is a line here. */
describe('an error names the cause and what to do', () => {
  const { folder: cwd, remove } = temporaryFolder();
  const taken = createServer((_request, response) => void response.writeHead(404).end());
  let port = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = String((taken.address() as AddressInfo).port);
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'agent.js'), AGENT);
    writeFileSync(join(cwd, 'none.js'), 'export const nothing = 1;');
    writeFileSync(join(cwd, 'missing.js'), "import 'not-installed';");
    writeFileSync(join(cwd, 'nameless.js'), AGENT.replace("name: 'a', ", ''));
    writeFileSync(join(cwd, 'text.db'), 'no database');
    writeFileSync(join(cwd, 'typo.json'), '{"agents": ["agent.js"], "prot": 1}');
    writeFileSync(join(cwd, 'bad.json'), '{');
    await damageFile(join(cwd, 'damaged.db'));
    await cli(['keys', 'create', 'ann', '--id', 'one', '--file', 'keys.json'], { cwd });
  });
  afterAll(() => {
    taken.close();
    remove();
  });

  const AGENT = `import { defineAgent } from '${import.meta.resolve('../../src/index.ts')}';
    export const agent = defineAgent({ name: 'a', description: 'A', version: '1', run: () => 'a' });`;

  it.for([
    ['serve', 'There is no command|serve needs FILE', 'parley init DIR makes a project'],
    ['serve gone.js', 'There is no file gone.js', 'give the path of a module'],
    ['serve folder', 'folder is a folder', 'give the path of a module'],
    ['serve none.js', 'none.js exports no agent', 'defineAgent'],
    ['serve nameless.js', 'nameless.js', 'An agent needs a name, a description and a version'],
    ['serve missing.js', 'imports not-installed, which cannot be found', 'is it installed'],
    ['serve agent.js --port PORT', 'PORT', '--port 0 takes any free one'],
    ['serve agent.js --port 0 --host 203.0.113.7 --open', '203.0.113.7', '--host 0.0.0.0 takes all addresses'],
    ['serve agent.js --port 0 --host 0.0.0.0', 'anybody could call', '--keys FILE lets in those with a key'],
    ['serve agent.js --port 0 --db text.db', 'text.db', '--db FILE chooses another file'],
    [
      'serve agent.js --port 0 --db damaged.db',
      'damaged.db is damaged: ',
      'parley db verify damaged.db says what can be saved',
    ],
    ['serve agent.js --port 0 --db text.db --store memory', '--db', '--store'],
    ['serve agent.js --port 0 --tls-cert a.pem', 'TLS needs --tls-key FILE', 'the private key'],
    ['serve agent.js --port 0 --tls-cert a.pem --tls-key a.key', 'a.pem', 'give the path of a PEM file with'],
    [
      'serve agent.js --port 0 --tls-cert folder --tls-key folder',
      'folder is a folder',
      'give the path of a PEM file with',
    ],
    ['serve agent.js --port 0 --default b', 'There is no agent b', 'a'],
    ['serve --config gone.json', 'There is no file gone.json', 'write it, or name another'],
    ['serve --config typo.json', 'there is no setting prot', 'did you mean port'],
    ['serve --config bad.json', 'bad.json is no JSON', 'line 1|position|Expected'],
    ['serve agent.js --set limits.runs=many', 'limits.runs', 'whole number'],
    ['send 127.0.0.2:PORT hello', 'nothing listens there', 'Is the agent running'],
    ['send localhost:PORT hello', 'There is no agent at localhost:PORT', 'Give the address of an agent or of its card'],
    ['serve typo.json', 'typo.json has data, no agents', 'give the module that exports them'],
    ['send localhost:x hello', 'is not an address', 'write it like localhost:4000'],
    ['send ftp://x hello', 'is not an http', 'See: parley send --help'],
    ['keys create bob --id one --file keys.json', 'There is a key one already', 'choose another --id'],
    ['keys revoke two --file keys.json', 'There is no key two', 'keys list shows'],
    ['keys create bob', 'keys needs either --file FILE', '--store PLACE'],
    ['db info gone.db', 'There is no gone.db', 'Name the file that serve --db'],
    ['db info text.db', 'text.db is not an SQLite database', 'Name the file that serve --db'],
    ['db copy tasks.db other.db', 'db copy goes from an SQLite file to a database', 'postgres://user@host/database'],
    ['db bakup tasks.db', 'db cannot bakup', 'did you mean backup'],
    ['completion', 'completion needs bash|zsh|fish', 'See: parley completion --help'],
    ['check 127.0.0.2:PORT', 'ECONNREFUSED', 'Is the agent running'],
  ] as const)('parley %s', async ([line, cause, next]) => {
    const withPort = (text: string) => text.replaceAll('PORT', port);
    const { code, stderr } = await cli(withPort(line).split(' '), { cwd });
    expect(code).toBeGreaterThan(0);
    const said = (words: string) => words.split('|').some((one) => stderr.includes(withPort(one)));
    expect({ stderr, cause: said(cause), next: said(next) }).toEqual({ stderr, cause: true, next: true });
    expect(stderr).toMatch(/^parley: /);
    expect(stderr.trim()).not.toContain('\n');
  });
});

/** A file of ours whose tables cannot be read, although it opens. */
async function damageFile(path: string): Promise<void> {
  const store = sqlite(path);
  await store.open();
  await store.close();
  writeFileSync(path, readFileSync(path).fill(0xff, 3 * PAGE, 8 * PAGE));
}

const PAGE = 4096;
