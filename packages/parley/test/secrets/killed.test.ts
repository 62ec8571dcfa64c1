import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
const SECRET = 'hunter2-and-then-some';
const KEY = 'the key of this server, 32 bytes';
const OTHER_KEY = 'another key of this server';
const AT_ONCE = { returnImmediately: true };

interface Process {
  readonly peer: RpcPeer;
  readonly complaints: () => string;
  readonly kill: () => Promise<void>;
}

async function start(file: string, keys: readonly string[], isLast = false): Promise<Process> {
  const env = { ...process.env, LAST_PROCESS: isLast ? 'yes' : 'no' };
  const child = spawn(process.execPath, [...FLAGS, SCRIPT, file, ...keys], { stdio: ['ignore', 'pipe', 'pipe'], env });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += text;
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const failed = exited.then(() => Promise.reject(new Error(`The server did not start: ${complaints}`)));
  failed.catch(() => {});
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed]);
  return { peer: new RpcPeer((request) => fetch(request), `${url}/a2a`), complaints: () => complaints, kill };
}

const notesOf = (file: string) =>
  existsSync(`${file}.notes`) ? readFileSync(`${file}.notes`, 'utf8').trim().split('\n') : [];

/** The files that the store has written, whatever they are called. */
function hasOnDisk(file: string, words: string): boolean {
  const names = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  return names.some((name) => readFileSync(join(dirname(file), name)).includes(words));
}

async function stateOf(peer: RpcPeer, id: string): Promise<string> {
  return (await peer.call('GetTask', { id })).status.state;
}

/** Asks a task for its secret, answers, and kills the server when the run has got it. */
async function answerAndKill(file: string, keys: readonly string[], words: string, state: string): Promise<string> {
  const { peer, kill } = await start(file, keys);
  const { id } = await peer.send(words, {}, AT_ONCE);
  await eventually(() => stateOf(peer, id)).toBe(state);
  await peer.send(SECRET, { taskId: id, metadata: { copy: SECRET } }, AT_ONCE);
  await eventually(() => notesOf(file).at(-1) ?? '').toMatch(words === 'ask and hang' ? /^answer/ : /^(log in|turn)/);
  await eventually(() => hasOnDisk(file, words)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await kill();
  expect(hasOnDisk(file, SECRET)).toBe(false);
  return id;
}

async function completed(peer: RpcPeer, id: string): Promise<Wire> {
  await eventually(() => stateOf(peer, id)).toBe('TASK_STATE_COMPLETED');
  return peer.call('GetTask', { id });
}

const textOf = (task: Wire) => task.artifacts.at(-1).parts[0].text;

const CASES = [
  ['ask', 'TASK_STATE_INPUT_REQUIRED', 'before between 21 characters'],
  ['ask and hang', 'TASK_STATE_INPUT_REQUIRED', 'before between 21 characters'],
  ['authorize', 'TASK_STATE_AUTH_REQUIRED', 'before between 21 characters'],
  ['end with the need', 'TASK_STATE_AUTH_REQUIRED', '21 characters'],
] as const;

describe.each(CASES)('a resumable run that was killed with a secret: %s', (words, state, result) => {
  it('goes on with it where the server has its key, also as an older one', async () => {
    const file = tempFile();
    const id = await answerAndKill(file, [KEY], words, state);
    const { peer } = await start(file, [OTHER_KEY, KEY], true);
    const task = await completed(peer, id);
    expect(textOf(task)).toBe(result);
    expect(JSON.stringify(task)).not.toContain(SECRET);
    expect(hasOnDisk(file, SECRET)).toBe(false);
    if (state === 'TASK_STATE_INPUT_REQUIRED')
      expect(notesOf(file).filter((note) => note === 'answer 21')).toHaveLength(2);
    expect(notesOf(file).filter((note) => note === 'log in').length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['has no key', []],
    ['has another key', [OTHER_KEY]],
  ])('asks again where the server %s', async (_name, keys) => {
    const file = tempFile();
    const id = await answerAndKill(file, keys.length > 0 ? [KEY] : [], words, state);
    // The second process is killed while it waits for the answer.
    const second = await start(file, keys);
    await eventually(() => stateOf(second.peer, id)).toBe(state);
    if (keys.length > 0) expect(second.complaints()).toContain('a key that secretKey does not have');
    await second.kill();
    const { peer } = await start(file, keys, true);
    await eventually(() => stateOf(peer, id)).toBe(state);
    await peer.send(SECRET, { taskId: id }, AT_ONCE);
    const task = await completed(peer, id);
    expect(textOf(task)).toBe(result);
    expect(hasOnDisk(file, SECRET)).toBe(false);
    expect(notesOf(file).filter((note) => note === 'log in').length).toBeLessThanOrEqual(1);
  });
});
