import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('./opening-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

interface Started {
  readonly child: ChildProcess;
  /** Resolves once the process has printed a line that fits. */
  printed(line: RegExp): Promise<string>;
  readonly stderr: Promise<string>;
  readonly exited: Promise<readonly unknown[]>;
}

function start(host: string, file: string): Started {
  const child = spawn(process.execPath, [...FLAGS, SCRIPT, host, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const lines: string[] = [];
  const waiting: { readonly line: RegExp; readonly found: (line: string) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const one of waiting) if (one.line.test(line)) one.found(line);
  });
  const stderr = text(child.stderr);
  const printed = (line: RegExp) => {
    const before = lines.find((one) => line.test(one));
    const later = new Promise<string>((found) => void waiting.push({ line, found }));
    const failed = exited.then(async () => Promise.reject(new Error(`The process ended: ${await stderr}`)));
    return before === undefined ? Promise.race([later, failed]) : Promise.resolve(before);
  };
  return { child, printed, stderr, exited };
}

/** Those that do not take the framework's place, or another version's. */
const HOSTS = ['node:http', 'fetch', 'Express 5', 'Hono', 'Fastify', 'Koa'];

describe.each(HOSTS)('a server with a store, on %s', (host) => {
  it('ends a second process at its start, and after kill -9 goes on before anybody asks', async () => {
    const file = tempFile();
    const first = start(host, file);
    const peer = new RpcPeer(fetch, `${await first.printed(/^http/)}/a2a`);
    const stream = await peer.open('SendStreamingMessage', sendParams('go'));
    await stream.until(({ result }) => result.artifactUpdate !== undefined);

    const second = start(host, file);
    expect(await second.exited).toEqual([1, null]);
    const naming = (await second.stderr).split('\n').filter((line) => line.includes(file));
    expect(naming).toEqual([expect.stringMatching(/is in use by another server: stop that one first/)]);

    first.child.kill('SIGKILL');
    await first.exited;
    await stream.close().catch(() => undefined);
    await start(host, file).printed(/^completed$/);
  });
});
