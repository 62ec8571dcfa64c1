import { bytes, bytesOf, defineAgent, isTask } from 'parley-a2a';
import { TestAgent } from 'parley-a2a/testing';
import { expect, it, onTestFinished } from 'vitest';

const MEGABYTE = 2 ** 20;

it('an agent returns a file of many megabytes, such as a film', async () => {
  const film = bytes(new Uint8Array(24 * MEGABYTE), { filename: 'film.mp4', mediaType: 'video/mp4' });
  const agent = new TestAgent(
    defineAgent({ name: 'test', description: 'Makes films', version: '1.0.0', run: () => film }),
  );
  onTestFinished(() => agent.close());
  const task = await agent.client.sendMessage('Go');
  if (!isTask(task)) throw new Error('A message');
  expect(task.status.state).toBe('completed');
  const [part] = task.artifacts?.[0]?.parts ?? [];
  expect(part?.kind === 'bytes' && part.bytes === film.bytes).toBe(true);
});

it('the bytes of a film are read without stopping everything else for seconds', () => {
  const film = bytes(new Uint8Array(24 * MEGABYTE).fill(200));
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    const content = bytesOf(film);
    expect([content.length, content[0], content.at(-1)]).toEqual([24 * MEGABYTE, 200, 200]);
    return process.cpuUsage(before).user / 1000;
  });
  expect(Math.min(...costs)).toBeLessThan(600);
});

it.each([
  'AA=',
  'A===',
  'AA=A',
  'AAAA\n',
  'A',
])('an agent that returns %j as bytes fails: it is no base64', async (text) => {
  const agent = new TestAgent(
    defineAgent({
      name: 'test',
      description: 'Returns bytes',
      version: '1.0.0',
      run: () => ({ kind: 'bytes', bytes: text }) as const,
    }),
  );
  onTestFinished(() => agent.close());
  const task = await agent.client.sendMessage('Go');
  expect(isTask(task) && task.status.state).toBe('failed');
});
