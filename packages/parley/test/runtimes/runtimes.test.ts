import { once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { A2AClient } from 'parley-a2a';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/http/free-port.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { type Child, HOW, PROGRAMS, PROJECT, RUNTIMES, spawnRuntime } from './runtime.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples');
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

describe.skipIf(PROJECT === '').each(RUNTIMES)(`$name${HOW}`, ({ name, run, runFreely, serve }) => {
  const folder = join(PROJECT, `on-${name}`);

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const program of readdirSync(PROGRAMS)) copyFileSync(join(PROGRAMS, program), join(folder, program));
  });

  function start(args: readonly string[], env?: Readonly<Record<string, string>>): Child {
    const child = spawnRuntime(name, args, folder, env);
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

  it('runs the demo', async () => {
    for (const part of ['demo', 'agents'])
      cpSync(join(EXAMPLES, part), join(folder, 'examples', part), { recursive: true });
    const child = start(runFreely('examples/demo/start.ts'), { PORT: '0', PARLEY_DB: 'memory' });
    const line = await lineOf(child, ADDRESS);
    const url = ADDRESS.exec(line ?? '')?.[0] ?? '';
    const client = await A2AClient.connect(url);
    expect(await client.run('Report for Q4')).toContain('Q4');
    const lab = await A2AClient.connect(`${url}/a2a/agents/lab`);
    let heard = '';
    for await (const text of lab.sendMessageStream('chunk 20 16').textStream) heard += text;
    expect(heard.length).toBeGreaterThan(200);
  });

  it('opens a server that is exported when it starts, leaves silent streams open, refuses a second one, and goes on after kill -9', async () => {
    const port = await freePort();
    const first = start(serve('exports.mjs', port));
    const peer = new RpcPeer(fetch, `http://127.0.0.1:${port}/a2a`);
    const health = () =>
      peer.raw('/readyz').then(
        ({ status }) => status,
        () => undefined,
      );
    await eventually(health).toBe(200);
    const silent = await peer.at('/a2a/agents/silent').stream('SendStreamingMessage', sendParams('go'));
    expect(silent.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
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

describe.skipIf(PROJECT === '')(`Elysia on Bun${HOW}`, () => {
  it('mounts a server [seed:S2]', async () => {
    copyFileSync(join(PROGRAMS, 'elysia.mjs'), join(PROJECT, 'elysia.mjs'));
    const child = spawnRuntime('bun', ['elysia.mjs'], PROJECT);
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
