import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/http/free-port.ts';
import type { Wire } from '../support/rpc.ts';
import { requestOf, runCurl } from './support/curl.ts';
import { type Demo, refusedDemo, startDemo, startWithNpm } from './support/demo.ts';
import { ROOT, temporaryFolder } from './support/repository.ts';

function folderOfTest(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

function databaseOfTest(): string {
  return join(folderOfTest(), 'tasks.db');
}

/** The results in an SSE stream of JSON-RPC responses. */
function resultsOf(stream: string): Wire[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).result);
}

async function call(demo: Demo, method: string, params: unknown, agent = 'lab'): Promise<Wire> {
  const response = await fetch(`${demo.url}/a2a/agents/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result }: Wire = await response.json();
  return result;
}

const message = (text: string) => ({ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] });

async function startTask(demo: Demo, agent: string, text: string): Promise<string> {
  const configuration = { returnImmediately: true };
  return (await call(demo, 'SendMessage', { message: message(text), configuration }, agent)).task.id;
}

/** Starts a task that takes much longer than the test. */
function startLongTask(demo: Demo): Promise<string> {
  return startTask(demo, 'lab', 'say Here we go\nwait 600000');
}

async function stateOf(demo: Demo, id: string): Promise<string> {
  return (await call(demo, 'GetTask', { id })).status.state;
}

describe('npm start', () => {
  it('prints three commands that work as they stand, and keeps the task', async () => {
    const PARLEY_DB = databaseOfTest();
    const demo = await startDemo({ PARLEY_DB });
    expect(demo.greeting).toContain(`kept in ${PARLEY_DB}`);
    expect(demo.commands).toHaveLength(3);
    const [whoIsThere = '', askForReport = '', seeTasks = ''] = demo.commands;

    const card = JSON.parse(await runCurl(whoIsThere));
    expect(card).toMatchObject({ name: 'reporter' });
    expect(card.supportedInterfaces[0]).toMatchObject({ url: `${demo.url}/a2a` });

    const results = resultsOf(await runCurl(askForReport));
    const { id } = results[0].task;
    expect(results.at(-1).statusUpdate).toMatchObject({ taskId: id, status: { state: 'TASK_STATE_COMPLETED' } });
    const chunks = results.flatMap((result) => result.artifactUpdate?.artifact.parts ?? []);
    expect(chunks.map((part) => part.text ?? '').join('')).toContain('Q4');

    const listed = JSON.parse(await runCurl(seeTasks)).result;
    expect(listed.tasks).toMatchObject([{ id, status: { state: 'TASK_STATE_COMPLETED' } }]);
    expect(await demo.stop()).toMatchObject({ code: 0, stderr: '' });

    const restarted = await startDemo({ PARLEY_DB });
    expect(JSON.parse(await runCurl(restarted.commands[2] ?? '')).result).toEqual(listed);
  });

  it('prints commands that can be sent without curl too', async () => {
    const demo = await startDemo({ PARLEY_DB: 'memory' });
    const [, , seeTasks = ''] = demo.commands;
    const response = await fetch(...requestOf(seeTasks));
    expect(await response.json()).toMatchObject({ id: 2, result: { tasks: [], totalSize: 0 } });
  });

  it('names every agent of the demo', async () => {
    const demo = await startDemo({ PARLEY_DB: 'memory' });
    const names = /agents {4}(.*)/.exec(demo.greeting)?.[1]?.replace(' (the default)', '').split(', ') ?? [];
    expect(names).toEqual(['reporter', 'analyst', 'echo', 'lab']);
    for (const name of names) {
      const card = await fetch(`${demo.url}/a2a/agents/${name}/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({ name });
    }
  });

  it('listens where PORT and HOST say', async () => {
    const port = await freePort();
    const demo = await startDemo({ PORT: String(port), HOST: '127.0.0.2', PARLEY_DB: 'memory' });
    expect(demo.url).toBe(`http://127.0.0.2:${port}`);
    expect(demo.greeting).toContain('this machine only');
    expect((await fetch(`${demo.url}/.well-known/agent-card.json`)).status).toBe(200);
  });

  it('prints an address that can be reached when it listens on all of them', async () => {
    const demo = await startDemo({ HOST: '0.0.0.0', PARLEY_DB: 'memory' });
    expect(demo.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(demo.greeting).toContain('every machine that can reach this one');
    for (const command of demo.commands) expect(await runCurl(command)).not.toContain('"error"');
  });

  it('writes nothing with PARLEY_DB=memory', async () => {
    const demo = await startDemo({ PARLEY_DB: 'memory' });
    expect(demo.greeting).toContain('nothing is kept');
    await demo.stop();
    expect(existsSync(join(ROOT, 'memory'))).toBe(false);
  });

  it('takes empty variables for none', async () => {
    const demo = await startDemo({ HOST: '', PARLEY_DB: databaseOfTest() });
    expect(demo.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});

describe('stopping', () => {
  it.for(['SIGTERM', 'SIGINT'] as const)('%s ends it with exit code 0, also while a task runs', async (signal) => {
    const PARLEY_DB = databaseOfTest();
    const demo = await startDemo({ PARLEY_DB });
    const id = await startLongTask(demo);
    expect(await demo.stop(signal)).toMatchObject({ code: 0, stderr: '' });

    // The lab is resumable: its run goes on, and can be stopped.
    const restarted = await startDemo({ PARLEY_DB });
    expect(await stateOf(restarted, id)).toBe('TASK_STATE_WORKING');
    expect((await call(restarted, 'CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('Ctrl+C under npm, which arrives twice, stops it once', async () => {
    const demo = await startDemo({ PARLEY_DB: databaseOfTest(), npm_lifecycle_event: 'start' });
    await startLongTask(demo);
    demo.signal('SIGINT');
    // Two of the same kind that come so close would be delivered as one.
    expect(await demo.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  it('a signal to npm stops the server too', async () => {
    const demo = await startWithNpm({ PARLEY_DB: 'memory' });
    expect((await fetch(`${demo.url}/a2a/health`)).status).toBe(200);
    expect(await demo.stop('SIGTERM')).toMatchObject({ code: 0 });
    await expect(fetch(`${demo.url}/a2a/health`)).rejects.toThrow();
  });

  it('goes on with a task after a crash, and does not repeat what was over', async () => {
    const PARLEY_DB = databaseOfTest();
    const demo = await startDemo({ PARLEY_DB });
    const id = await startTask(demo, 'lab', 'chunk 2 4\nwait 1\nsay Here we go\nwait 600000');
    await expect
      .poll(async () => (await call(demo, 'GetTask', { id })).status.message?.parts[0].text)
      .toBe('Here we go');
    await demo.kill();

    const restarted = await startDemo({ PARLEY_DB });
    const task = await call(restarted, 'GetTask', { id });
    expect(task.status.state).toBe('TASK_STATE_WORKING');
    expect(task.artifacts.map(({ parts }: Wire) => parts[0].text)).toEqual(['00010002']);
    expect((await call(restarted, 'CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it.for([
    ['lab', 'say Hello\nask What is your name?', 'Ada', 'answered: Ada'],
    ['reporter', 'I need a sales report', 'Q4', 'Q4 2025'],
  ] as const)('takes the answer to a question of %s after kill -9 of npm start', async ([
    agent,
    text,
    answer,
    result,
  ]) => {
    const PARLEY_DB = databaseOfTest();
    const demo = await startWithNpm({ PARLEY_DB });
    const { task } = await call(demo, 'SendMessage', { message: message(text) }, agent);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await demo.kill();

    const restarted = await startWithNpm({ PARLEY_DB });
    const { id } = task;
    expect((await call(restarted, 'GetTask', { id }, agent)).status).toEqual(task.status);
    const answered = { ...message(answer), taskId: id };
    const done = (await call(restarted, 'SendMessage', { message: answered }, agent)).task;
    expect([done.id, done.status.state]).toEqual([id, 'TASK_STATE_COMPLETED']);
    expect(done.artifacts.map(({ parts }: Wire) => parts[0].text ?? '').join('')).toContain(result);
    await restarted.stop();
  });
});

describe('what cannot be, in one line', () => {
  async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await refusedDemo(environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^parley: .*\n$/);
    return stderr.slice('parley: '.length, -1);
  }

  it('a port that is taken', async () => {
    const { port, close } = await takenPort();
    onTestFinished(close);
    expect(await refusal({ PORT: String(port), PARLEY_DB: 'memory' })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program. For any free port: PORT=0 npm start`,
    );
  });

  it.for(['abc', '1e3', '-1', '65536', '80.5', ' '])('PORT=%s', async (PORT) => {
    expect(await refusal({ PORT, PARLEY_DB: 'memory' })).toBe(
      `PORT must be a number from 0 (any free port) to 65535, not "${PORT}".`,
    );
  });

  it('an address of another machine', async () => {
    expect(await refusal({ HOST: '192.0.2.1', PARLEY_DB: 'memory' })).toBe(
      '192.0.2.1 is not an address of this machine. For all addresses: HOST=0.0.0.0 npm start',
    );
  });

  const anotherFile = 'For another file: PARLEY_DB=other.db npm start';

  it('a folder that does not exist', async () => {
    const folder = join(folderOfTest(), 'missing');
    const file = join(folder, 'tasks.db');
    expect(await refusal({ PARLEY_DB: file })).toBe(
      `${file} cannot be written: the folder ${folder} does not exist. ${anotherFile}`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('a folder in place of a file', async () => {
    const folder = folderOfTest();
    expect(await refusal({ PARLEY_DB: folder })).toBe(`${folder} is a folder, not a database file. ${anotherFile}`);
  });

  it('a database of another program, which stays as it was', async () => {
    const file = databaseOfTest();
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE birds (name TEXT)');
    foreign.close();
    expect(await refusal({ PARLEY_DB: file })).toBe(
      `${file} is an SQLite database of another program, so it is left alone. ${anotherFile}`,
    );
    expect(readdirSync(join(file, '..'))).toEqual(['tasks.db']);
  });

  it('a file that is no database, which stays as it was', async () => {
    const file = databaseOfTest();
    writeFileSync(file, 'Dear diary, this is not a database.\n'.repeat(40));
    expect(await refusal({ PARLEY_DB: file })).toBe(
      `${file} is not an SQLite database, so it is left alone. ${anotherFile}`,
    );
    expect(readdirSync(join(file, '..'))).toEqual(['tasks.db']);
  });

  it('a file that another server uses, which goes on undisturbed', async () => {
    const PARLEY_DB = databaseOfTest();
    const first = await startDemo({ PARLEY_DB });
    expect(await refusal({ PARLEY_DB })).toBe(
      `${PARLEY_DB} is in use by another server: stop that one first or give this one another file. ${anotherFile}`,
    );
    expect(resultsOf(await runCurl(first.commands[1] ?? '')).at(-1)).toHaveProperty('statusUpdate');
  });

  const isRoot = process.getuid?.() === 0;
  const rootMayWrite = isRoot ? ' (skipped: root may write everything)' : '';

  it.skipIf(isRoot)(`a file that may not be written${rootMayWrite}`, async () => {
    const file = databaseOfTest();
    await (await startDemo({ PARLEY_DB: file })).stop();
    chmodSync(file, 0o444);
    expect(await refusal({ PARLEY_DB: file })).toBe(`${file} cannot be written: the file is read-only. ${anotherFile}`);
  });

  it.skipIf(isRoot)(`a folder that may not be written${rootMayWrite}`, async () => {
    const folder = folderOfTest();
    chmodSync(folder, 0o555);
    const file = join(folder, 'tasks.db');
    expect(await refusal({ PARLEY_DB: file })).toBe(
      `${file} cannot be written: the folder ${folder} is read-only. ${anotherFile}`,
    );
  });
});

async function takenPort(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { port: address.port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
