import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { HOW, PROGRAMS, PROJECT } from './runtime.ts';

/** What is used of miniflare, which is installed by the script alone. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}
type MiniflareClass = new (options: Wire) => Miniflare;

/** The program and the packed package as one module, as `wrangler` bundles them. */
async function bundle(): Promise<string> {
  copyFileSync(join(PROGRAMS, 'worker.mjs'), join(PROJECT, 'worker.mjs'));
  const { outputFiles } = await build({
    absWorkingDir: PROJECT,
    entryPoints: ['worker.mjs'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
    external: ['node:*', '@opentelemetry/api', 'prom-client'],
  });
  return outputFiles[0]?.text ?? '';
}

const stateOf = (task: Wire): string => task.status.state;

describe.skipIf(PROJECT === '')(`workerd${HOW}`, () => {
  let flare: Miniflare | undefined;
  let url = '';

  beforeAll(async () => {
    const { Miniflare } = createRequire(join(PROJECT, 'package.json'))('miniflare') as { Miniflare: MiniflareClass };
    flare = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.mjs', contents: await bundle() }],
      compatibilityDate: '2026-07-01',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: { HOST: 'Host' },
    });
    url = (await flare.ready).origin;
  });
  afterAll(() => flare?.dispose());

  const at = (path: string) => new RpcPeer((request) => fetch(request), `${url}${path}/a2a`);

  it.each([
    ['a Worker', ''],
    ['a Durable Object', '/object'],
  ])('%s serves cards, sends, streams and lists from memory', async (_, path) => {
    const card: Wire = await (await fetch(`${url}${path}/.well-known/agent-card.json`)).json();
    expect(card.url).toBe(`${url}${path}/a2a`);
    const peer = at(path);
    const task = await peer.send('Ada');
    expect([stateOf(task), task.artifacts[0].parts]).toEqual(['TASK_STATE_COMPLETED', [{ text: 'Hello, Ada' }]]);
    const frames = await peer.stream('SendStreamingMessage', sendParams('Bob'));
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const rest = await peer.stream('SubscribeToTask', { id: task.id }, { 'last-event-id': '0' });
    expect(JSON.stringify(rest)).toContain('Ada');
    const { tasks } = await peer.call('ListTasks', {});
    expect(tasks.map(({ id }: Wire) => id)).toContain(task.id);
    expect((await fetch(`${url}${path}/readyz`)).status).toBe(200);
  });

  it('a Durable Object goes on with a run that one request began and another one answers', async () => {
    const peer = at('/object');
    const asked = await peer.send('ask');
    expect(stateOf(asked)).toBe('TASK_STATE_INPUT_REQUIRED');
    const watching = await peer.open('SubscribeToTask', { id: asked.id });
    await watching.next();
    const answered = await peer.send('Cleo', { taskId: asked.id });
    expect([stateOf(answered), answered.artifacts[0].parts]).toEqual([
      'TASK_STATE_COMPLETED',
      [{ text: 'Hello, Cleo' }],
    ]);
    const seen = await watching.rest();
    expect(seen.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    const other = await peer.send('ask');
    expect(stateOf(await peer.call('CancelTask', { id: other.id }))).toBe('TASK_STATE_CANCELED');
  });
});
