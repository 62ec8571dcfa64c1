import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, isTask } from 'parley-a2a';
import { testAgent } from 'parley-a2a/testing';
import { ROOT } from '../../setup/support/repository.ts';

const FOLDER = 'examples/recipes';

export function recipeSource(name: string): string {
  return readFileSync(join(ROOT, FOLDER, `${name}.ts`), 'utf8');
}

/** Calls a recipe's agent as a client over the protocol; what came, and in how many chunks. */
export async function callRecipe(agent: Agent, prompt: string) {
  await using kit = testAgent(agent);
  const stream = kit.client.sendMessageStream(prompt);
  const chunks: string[] = [];
  for await (const text of stream.textStream) chunks.push(text);
  const result = await stream.result;
  return { chunks, text: chunks.join(''), state: isTask(result) ? result.status.state : undefined };
}
