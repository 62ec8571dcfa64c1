import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './fixtures.ts';

/** A program of a user, which sends itself one message and says what came of it. */
const PROGRAM = `
import { A2AServer, defineAgent } from '${import.meta.resolve('../../../src/index.ts')}';
import { sqlite } from '${import.meta.resolve('../../../src/sqlite.ts')}';
import { A2AClient } from '${import.meta.resolve('../../../src/client/index.ts')}';

const agent = defineAgent({ name: 'a', description: 'A', version: '1', run: () => 'kept' });
const server = new A2AServer({ agents: [agent], store: sqlite('tasks.db', { writer: 'worker' }) });
await server.listen({ port: 0 });
const client = await A2AClient.connect(server.url);
console.log('result:', await client.run('Hello'));
`;

it('keeps tasks under node --watch, where Node speaks on the port of the writer thread too', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const flags = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', '--watch'];
  const child = spawn(process.execPath, [...flags, 'program.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/result:|Failed running/.test(said)) child.emit('said');
    });
  }
  await Promise.race([once(child, 'said'), ended]);
  expect(said).toContain('result: kept\n');
});
