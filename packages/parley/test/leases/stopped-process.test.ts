import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { start } from '../cli/support/child.ts';
import { ROOT } from '../setup/support/repository.ts';
import { eventually } from '../support/eventually.ts';
import { openDatabase } from '../support/postgres/postgres.ts';
import { type RpcFrame, RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const NUMBERS = 40;

const AGENT = `import { defineAgent } from ${JSON.stringify(join(ROOT, 'packages/parley/src/index.ts'))};
export default defineAgent({
  name: 'counter', description: 'Counts', version: '1.0.0', resumable: true,
  async *run(task) {
    for (let number = 0; number < ${NUMBERS}; number += 1) {
      await task.step(\`count \${number}\`, () => new Promise((resolve) => setTimeout(resolve, 250)));
      yield \`\${number} \`;
    }
  },
});
`;

/** The text of the task's artifact as the frames of a stream bring it. */
function textOf(frames: readonly RpcFrame[]): string {
  let text = '';
  for (const { result } of frames) {
    const update: Wire = result.artifactUpdate;
    const piece: string = update?.artifact.parts[0].text ?? '';
    text = update && !update.append ? piece : text + piece;
  }
  return text;
}

it('a process that is stopped for longer than its lease shows what another one has written since, and streams go on', async () => {
  const cwd = dirname(tempFile());
  writeFileSync(join(cwd, 'agent.ts'), AGENT);
  const database = await openDatabase();
  const serve = async () => {
    const running = start(['serve', 'agent.ts', '--store', database.url, '--port', '0', '--lease', '3', '--json'], {
      cwd,
    });
    onTestFinished(() => void running.child.kill('SIGKILL'));
    const url = await running.until((stdout) => /"url":"([^"]+)"/.exec(stdout)?.[1], 'a start');
    return { child: running.child, peer: new RpcPeer((request) => fetch(request), `${url}/a2a`) };
  };
  const [one, other] = [await serve(), await serve()];
  const { task } = await one.peer.call('SendMessage', sendParams('go', {}, { returnImmediately: true }));
  const shown = async (peer: RpcPeer): Promise<number> => {
    const { artifacts } = await peer.call('GetTask', { id: task.id });
    return (artifacts?.[0]?.parts[0].text ?? '').length;
  };
  await eventually(() => shown(other.peer)).toBeGreaterThan(0);
  const streams = [one, other].map(({ peer }) =>
    peer.stream('SubscribeToTask', { id: task.id }, { 'last-event-id': '0' }),
  );
  one.child.kill('SIGSTOP');
  const before = await shown(other.peer);
  // The other process has found it dead, and goes on with the task.
  await eventually(() => shown(other.peer)).toBeGreaterThan(before);
  const since = await shown(other.peer);
  one.child.kill('SIGCONT');
  expect(await shown(one.peer)).toBeGreaterThanOrEqual(since);
  const [first, second] = await Promise.all(streams);
  const expected = Array.from({ length: NUMBERS }, (_, number) => `${number} `).join('');
  expect([textOf(first ?? []), textOf(second ?? [])]).toEqual([expected, expected]);
  expect(first?.map(({ id }) => id)).toEqual(second?.map(({ id }) => id));
  expect(first?.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
});
