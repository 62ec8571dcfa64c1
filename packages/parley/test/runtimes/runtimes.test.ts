import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';

/** A project with the packed package and the runtimes in it, which the script makes. */
const project = process.env.PARLEY_RUNTIMES ?? '';
const how = project === '' ? ' (skipped: npm run test:runtimes brings them)' : '';
const PROGRAMS = join(import.meta.dirname, 'programs');
/** No more than docs/hosting.md says that Deno needs. */
const DENO_FLAGS = ['--no-prompt', '--allow-net', '--allow-read', '--allow-write', '--allow-sys=uid,gid'];

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Runtime {
  readonly name: string;
  readonly run: (program: string) => readonly string[];
  /** Serves the default export of a program. */
  readonly serve: (program: string, port: number) => readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  {
    name: 'bun',
    run: (program) => [program],
    serve: (program, port) => ['--port', String(port), program],
  },
  {
    name: 'deno',
    run: (program) => ['run', ...DENO_FLAGS, program],
    serve: (program, port) => ['serve', ...DENO_FLAGS, '--host', '127.0.0.1', '--port', String(port), program],
  },
];

describe.skipIf(project === '').each(RUNTIMES)(`$name${how}`, ({ name, run, serve }) => {
  const folder = join(project, `on-${name}`);

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const program of readdirSync(PROGRAMS)) copyFileSync(join(PROGRAMS, program), join(folder, program));
  });

  function start(args: readonly string[]): Child {
    const env = { ...process.env, NO_COLOR: '1' };
    const command = join(project, 'node_modules/.bin', name);
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const gone = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await gone;
    });
    return child;
  }

  it('serves by listen(), from SQLite, with addresses that work', async () => {
    const child = start([...run('listens.mjs'), 'listens.db']);
    const [said, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect([problems, code]).toEqual(['', 0]);
    expect(JSON.parse(said)).toEqual({ scheme: 'http:', heard: 'Hello, Ada', tasks: 1 });
  });

  it('opens a server that is exported when it starts, refuses a second one, and goes on after kill -9', async () => {
    const port = await freePort();
    const first = start(serve('exports.mjs', port));
    const peer = new RpcPeer(fetch, `http://127.0.0.1:${port}/a2a`);
    const health = () =>
      peer.raw('/readyz').then(
        ({ status }) => status,
        () => undefined,
      );
    await eventually(health).toBe(200);
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    await stream.until(({ result }) => result.artifactUpdate !== undefined);

    const second = start(serve('exports.mjs', await freePort()));
    const [problems, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
    expect(code).toBe(1);
    expect(problems).toContain(
      'kept.db is in use by another server: stop that one first or give this one another file.',
    );

    first.kill('SIGKILL');
    await stream.close().catch(() => undefined);
    const third = start(serve('exports.mjs', await freePort()));
    expect(await lineOf(third, /^completed$/)).toBe('completed');
  });
});

describe.skipIf(project === '')(`Elysia on Bun${how}`, () => {
  it('mounts a server [seed:S2]', async () => {
    copyFileSync(join(PROGRAMS, 'elysia.mjs'), join(project, 'elysia.mjs'));
    const child = spawn(join(project, 'node_modules/.bin/bun'), ['elysia.mjs'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await gone;
    });
    const url = await lineOf(child, /^http/);
    expect(await (await fetch(`${url}/own`)).text()).toBe('the app');
    const frames = await new RpcPeer(fetch, `${url}/a2a`).stream('SendStreamingMessage', sendParams('Ada'));
    expect(JSON.stringify(frames)).toContain('Hello, Ada');
  });
});

/** The first line that fits, of all that a process prints. */
async function lineOf({ stdout }: Child, wanted: RegExp): Promise<string | undefined> {
  let said = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    said += chunk;
    const line = said.split('\n').find((one) => wanted.test(one));
    if (line !== undefined) return line;
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
