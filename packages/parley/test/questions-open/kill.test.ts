import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { QUESTIONS_EXTENSION } from 'parley-a2a/extensions';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOfTask } from '../support/frames.ts';
import { doomedServer } from '../support/nodes/crash.ts';
import type { RpcPeer, Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));

it('keeps what is answered, and waits for the rest, across kills [seed:S0.7]', async () => {
  const file = tempFile();
  const effects = () => readFileSync(`${file}.effects`, 'utf8').trim().split('\n');
  const look = (peer: RpcPeer, id: string): Promise<Wire> => peer.call('GetTask', { id });
  const openOf = ({ status }: Wire) => status.message?.metadata?.[QUESTIONS_EXTENSION].open;

  const first = await doomedServer(file, SCRIPT);
  const task = await first.peer.send('go');
  const [who, where, when] = openOf(task).map(({ id }: Wire) => id);
  await first.kill();

  const second = await doomedServer(file, SCRIPT);
  expect(openOf(await look(second.peer, task.id))).toHaveLength(3);
  const part = { data: { requestId: where, result: 'here' } };
  const half = await second.peer.send('', { taskId: task.id, parts: [part] });
  expect(openOf(half).map(({ id }: Wire) => id)).toEqual([who, when]);
  await eventually(() => effects()).toEqual(['where here']);
  await second.kill();

  const third = await doomedServer(file, SCRIPT);
  await eventually(async () => openOf(await look(third.peer, task.id))?.length).toBe(2);
  // It may come before the run is where it was.
  const parts = [{ data: { requestId: when, result: 'now' } }];
  const last = await third.peer.send('', { taskId: task.id, parts });
  expect(last.status.message.metadata[QUESTIONS_EXTENSION]).toMatchObject({ id: who, prompt: 'who?' });
  await third.kill();

  const fourth = await doomedServer(file, SCRIPT);
  const done = await fourth.peer.send('me', { taskId: task.id });
  expect(textOfTask(done)).toBe('Plan: who=me, where=here, when=now');
  expect(effects().toSorted()).toEqual(['when now', 'where here', 'who me']);
});
