import { A2AClient, A2AServer, taskTree } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { createDigest, headline, statistics } from './digest.ts';

const TEXT = 'Agents work together. Each has a task of its own!';

it('puts together what agents here and elsewhere bring, and can be asked for the whole tree', async () => {
  const there = await new A2AServer({ agents: [statistics] }).listen({ port: 0 });
  onTestFinished(() => there.close());
  const here = await new A2AServer({ agents: [createDigest(there.url ?? ''), headline] }).listen({ port: 0 });
  onTestFinished(() => here.close());
  const client = await A2AClient.connect(here.url ?? '');

  const stream = client.sendMessageStream(TEXT);
  const said: string[] = [];
  for await (const event of stream) {
    const [part] = event.kind === 'status' ? (event.status.message?.parts ?? []) : [];
    if (part?.kind === 'text') said.push(part.text);
  }
  expect(said.sort()).toEqual(['Counting…', 'Invoking headline and statistics…', 'Looking for a headline…']);
  const task = await stream.task;
  expect(task.artifacts[0]?.parts).toMatchObject([{ text: '# Agents work together\n10 words in 2 sentences.\n' }]);

  const tree = await taskTree(client, task.id);
  const children = tree.children.map(({ agent, task: child }) => `${agent}: ${child?.status.state}`);
  expect(children.sort()).toEqual(['headline: completed', 'statistics: completed']);
});
