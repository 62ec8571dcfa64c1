import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { doomedServer } from '../support/nodes/crash.ts';
import type { Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));

it('approvals that are waited for survive kills; each model call and each tool is done once [seed:S0.17]', async () => {
  const file = tempFile();
  const effects = () => readFileSync(`${file}.effects`, 'utf8').trim().split('\n');
  const infoOf = ({ status }: Wire) => status.message?.metadata?.[QUESTIONS_EXTENSION];
  const first = await doomedServer(file, SCRIPT);
  const task = await first.peer.send('Tidy up');
  expect(infoOf(task).open.map(({ approves }: Wire) => approves)).toEqual([
    { name: 'remove', args: { file: 'a' } },
    { name: 'remove', args: { file: 'b' } },
  ]);
  await first.kill();

  const second = await doomedServer(file, SCRIPT);
  expect(infoOf(await second.peer.call('GetTask', { id: task.id }))).toEqual(infoOf(task));
  const parts = [{ data: { requestId: infoOf(task).open[1].id, result: 'approve' } }];
  const half = await second.peer.send('', { taskId: task.id, parts });
  expect(infoOf(half)).toMatchObject({ id: infoOf(task).open[0].id, approves: { args: { file: 'a' } } });
  await eventually(effects).toContain('remove b');
  const done = await second.peer.send('refuse', { taskId: task.id });
  expect(textOfTask(done)).toBe('Done.');
  await second.kill();

  const third = await doomedServer(file, SCRIPT);
  expect(textOfTask(await third.peer.call('GetTask', { id: task.id }))).toBe('Done.');
  expect(effects()).toEqual(['model 0', 'remove b', 'model 1']);
});
