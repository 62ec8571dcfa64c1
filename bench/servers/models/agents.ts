import { join } from 'node:path';
import { streamText } from 'ai';
import { A2AServer, defineAgent, memory } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { sqlite } from 'parley-a2a/sqlite';
import type { ModelKind } from '../protocol.ts';
import { scriptModel, scriptTools } from './script-model.ts';

const CARD = { description: 'Writes what the benchmark asks for', version: '1.0.0' };

/** The stream of the AI SDK, yielded by an agent without tools. */
const yielding = defineAgent({
  ...CARD,
  name: 'yielding',
  async *run({ text }) {
    yield* streamText({ model: scriptModel, prompt: text }).textStream;
  },
});

const looping = llmAgent({ ...CARD, name: 'looping', model: scriptModel, tools: scriptTools });

export async function startModelAgent(kind: ModelKind, folder: string): Promise<number> {
  const agents = [kind === 'yielding' ? yielding : looping];
  const store = kind === 'llm-sqlite' ? sqlite(join(folder, 'bench.db')) : memory();
  const server = await new A2AServer({ agents, store }).listen({ port: 0 });
  return Number(new URL(server.url ?? '').port);
}
