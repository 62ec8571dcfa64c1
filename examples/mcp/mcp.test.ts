import { testAgent } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { startPlanner } from './planner.ts';

it('uses a tool of an MCP server', async () => {
  const { planner, close } = await startPlanner();
  await using agent = testAgent(planner);
  expect(await agent.client.run('Is 2026-11-16 free?')).toBe('2026-11-16 is a Monday: a working day.');
  expect(await agent.client.run('And 2026-11-15?')).toBe('2026-11-15 is a Sunday: a day off.');
  await close();
});
