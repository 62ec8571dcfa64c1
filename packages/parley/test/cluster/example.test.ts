import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { A2AClient } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT, shellEnvironment } from '../setup/support/repository.ts';
import { openDatabase } from '../support/postgres/postgres.ts';
import type { Wire } from '../support/rpc.ts';

const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
const SERVER = join(ROOT, 'examples/cluster/server.ts');
const PARLEY = join(ROOT, 'packages/parley/src/cli/main.ts');
const run = promisify(execFile);

function start(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [...FLAGS, SERVER], {
    env: { ...shellEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function serve(database: string, env: NodeJS.ProcessEnv = { OPEN: 'yes' }): Promise<string> {
  const child = start({ DATABASE_URL: database, PORT: '0', ...env });
  child.stderr.pipe(process.stderr);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return String(line).replace('Listening on ', '');
}

it('two nodes of examples/cluster serve the tasks of each other', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.drop());
  const [one, other] = await Promise.all([serve(database.url), serve(database.url)]);
  expect((await fetch(`${one}/readyz`)).status).toBe(200);
  const stream = new A2AClient(one).sendMessageStream('Count');
  const elsewhere = new A2AClient(other);
  const id = await stream.id;
  const seen = elsewhere.subscribe(id);
  let text = '';
  for await (const chunk of seen.textStream) text += chunk;
  expect(text).toBe('1 2 3 4 5 6 7 8 9 10 ');
  expect((await elsewhere.getTask(id)).status.state).toBe('completed');
});

it('a node of examples/cluster shows the address of the balancer on its card', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.drop());
  const node = await serve(database.url, { PUBLIC_URL: 'https://agents.test' });
  const card: Wire = await (await fetch(`${node}/.well-known/agent-card.json`)).json();
  expect(card.supportedInterfaces[0].url).toBe('https://agents.test/a2a');
});

it('a node of examples/cluster that other machines reach lets in callers whose key is in the database', async () => {
  const database = await openDatabase();
  onTestFinished(() => database.drop());
  // As in its container.
  const node = await serve(database.url, { HOST: '0.0.0.0', PUBLIC_URL: 'https://agents.test' });
  const address = `http://127.0.0.1:${new URL(node).port}`;
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${address}/a2a/tasks`, { headers: { 'a2a-version': '1.0', ...headers } });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  expect((await ask()).status).toBe(401);
  const { stdout } = await run(
    process.execPath,
    [...FLAGS, PARLEY, 'keys', 'create', 'ann', '--store', database.url, '--json'],
    { env: shellEnvironment() },
  );
  await expect.poll(async () => (await ask({ 'x-api-key': JSON.parse(stdout).key })).status).toBe(200);
});

it('a node of examples/cluster says what it lacks', async () => {
  const child = start({});
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(said).toContain('DATABASE_URL is not set');
});
