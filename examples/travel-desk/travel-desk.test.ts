import { A2AClient, isTask, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { startDesk } from './desk.ts';
import { flightsTo } from './flights/executor.ts';

async function openDesk() {
  const desk = await startDesk();
  onTestFinished(() => desk.close());
  return { ...desk, planner: await A2AClient.connect(desk.url) };
}

it('plans a journey: two questions, two agents, one plan', async () => {
  const { planner } = await openDesk();
  const asked = await planner.sendMessage('Lisbon');
  if (!isTask(asked)) throw new Error('No task');
  expect(asked.status.state).toBe('input-required');
  expect(textOf(asked.status.message ?? '')).toContain('For how many nights?');
  const again = await planner.sendMessage('a few', { taskId: asked.id });
  expect(textOf(again)).toContain('must be a whole number from 1 to 30');
  const choosing = await planner.sendMessage('3', { taskId: asked.id });
  expect(textOf(choosing)).toContain('Which flight to Lisbon?');
  const [, flight = ''] = flightsTo('Lisbon');
  const done = await planner.sendMessage(flight, { taskId: asked.id });
  expect(done).toMatchObject({ status: { state: 'completed' } });
  expect(textOf(done)).toContain(`Flight: ${flight}\nHotel: Harbour Inn in Lisbon, 3 nights for 228 €`);
});

it('tells the page what happens, by push alone', async () => {
  const { board } = await openDesk();
  expect(await (await fetch(board)).text()).toContain('<title>Travel desk</title>');
  const events = await fetch(`${board}/events`);
  const seen: string[] = [];
  void (async () => {
    for await (const chunk of events.body ?? []) seen.push(Buffer.from(chunk).toString());
  })().catch(() => {});
  const post = (message: object) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${board}/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
  };
  const sent = await post({ words: 'Oslo' });
  expect(sent.status).toBe(202);
  const { taskId } = (await sent.json()) as { readonly taskId: string };
  await expect.poll(() => seen.join('')).toContain('For how many nights?');
  await post({ taskId, words: '2' });
  await expect.poll(() => seen.join('')).toContain('Which flight to Oslo?');
  await post({ taskId, words: flightsTo('Oslo')[0] ?? '' });
  await expect.poll(() => seen.join('')).toContain('"state":"completed"');
  expect(seen.join('')).toContain('City: Oslo');
  // Strangers are not believed, and neither are pages of other sites.
  expect((await fetch(`${board}/hook`, { method: 'POST', body: '{}' })).status).toBeGreaterThanOrEqual(400);
  expect((await fetch(`${board}/messages`, { method: 'POST', body: '{"words":"x"}' })).status).toBe(400);
});
