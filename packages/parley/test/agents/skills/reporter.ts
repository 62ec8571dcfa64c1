import { A2AClient, A2AServer, type Agent, defineAgent, json } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { list, number, object, optional, string } from '../../support/schemas/shapes.ts';

export const about = { description: 'Reports on sales', version: '1.0.0' };
export const reportInput = object({ quarter: string, regions: optional(list(string), ['all']) });
export const reportOutput = object({ revenue: number, regions: list(string) });
export const reportSkill = { id: 'report', name: 'Report', description: 'Reports', tags: ['sales'] } as const;

export const reporter = defineAgent({
  ...about,
  name: 'reporter',
  skills: [{ ...reportSkill, input: reportInput, output: reportOutput }],
  async *run(task) {
    yield `Report for ${task.input.quarter}. `;
    yield json({ revenue: 42, regions: task.input.regions, secret: 'not declared' });
  },
});

export const data = (value: unknown, skillId?: string): Wire => ({
  parts: [{ data: value }],
  ...(skillId && { metadata: { skillId } }),
});

export async function clientOf<Client extends Agent>(agent: Client) {
  const server = await new A2AServer({ agents: [agent], log: { error: () => {}, warn: () => {} } }).listen({ port: 0 });
  onTestFinished(() => server.close());
  return { url: server.url ?? '', client: (await A2AClient.connect(server.url ?? '')).as<Client>() };
}
