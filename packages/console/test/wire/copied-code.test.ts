import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { A2AClient, json } from 'parley-a2a/client';
import { faulty } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { ROOT, readJson, shellEnvironment } from '../../../parley/test/setup/support/repository.ts';
import { tempFile } from '../../../parley/test/support/temp-folder.ts';
import type { WireExchange } from '../../src/wire/record/exchange.ts';
import { Recorder } from '../../src/wire/record/recorder.ts';
import { WireLog } from '../../src/wire/record/wire-log.ts';
import { copyAs } from '../../src/wire/traffic/copy.ts';
import { counter, echo, serve } from './echo-server.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

const CONFIG = `export default { resolve: { conditions: ['parley-source'] }, ssr: { resolve: { conditions: ['parley-source'] } } };`;

/** A project of somebody else's, with the package installed; runs programs of its tools there. */
function makeProject() {
  const folder = dirname(tempFile());
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['parley-a2a', 'vitest', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude: [] }),
  );
  writeFileSync(join(folder, 'vitest.config.ts'), CONFIG);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const run = (program: string, ...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
      cwd: folder,
      env: { ...shellEnvironment(), CI: 'true' },
    }).catch((error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}`);
    });
  return {
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    readJson: (name: string): unknown => readJson(folder, name),
    run,
  };
}

const find = (all: readonly WireExchange[], operation: string) =>
  all.find(({ call }) => call?.operation === operation) as WireExchange;

it('copied code and tests compile, and the tests pass against what was recorded', async () => {
  const { at } = await serve(echo, counter);
  const project = makeProject();

  // Hostile texts in one request, over a stream that breaks in the middle and is resumed.
  const log = new WireLog();
  const recorder = new Recorder(log, faulty(fetch, { dropAt: 3 }));
  const url = at('echo');
  const client = new A2AClient(url, recorder.forClient({ url }));
  await client.sendMessageStream([...HOSTILE_TEXTS, json({ "it's": ['\u202e', null] })]).result;
  await client.sendMessage('short', { contextId: 'c', messageMetadata: { note: 'x' } });
  await client.getTask('missing').catch(() => undefined);
  await client.listTasks({ pageSize: 1 });
  const all = log.exchanges();
  const streamed = find(all, 'sendStreamingMessage');
  expect(streamed.end?.kind).toBe('failed');
  for (const operation of ['sendStreamingMessage', 'sendMessage', 'getTask', 'listTasks']) {
    const exchange = find(all, operation);
    project.write(`${operation}.ts`, (await copyAs('typescript', exchange, all)).text);
    project.write(`${operation}.test.ts`, (await copyAs('test', exchange, all)).text);
  }
  await project.run('typescript/bin/tsc', '--noEmit', '-p', '.');
  await project.run('vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=report.json');
  expect(project.readJson('report.json')).toMatchObject({ numPassedTests: 4, numFailedTests: 0 });
});

it('says why there is no test of what is not all there', async () => {
  const { at } = await serve(counter);
  const url = at('counter');
  const log = new WireLog({ exchangeCharacters: 2000 });
  const recorder = new Recorder(log);
  const client = new A2AClient(url, recorder.forClient({ url }));
  await client.sendMessageStream('100').result;
  const all = log.exchanges();
  const streamed = find(all, 'sendStreamingMessage');
  await expect(copyAs('test', streamed, all)).rejects.toThrow('too large');
  await expect(copyAs('test', streamed, [streamed])).rejects.toThrow('The card of the agent is no longer in the log');
  await expect(copyAs('test', { ...streamed, end: undefined }, all)).rejects.toThrow('has not ended yet');
});
