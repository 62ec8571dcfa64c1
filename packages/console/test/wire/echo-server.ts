import { A2AServer, type Agent, bytesOf, defineAgent, type Part } from 'parley-a2a';
import { onTestFinished } from 'vitest';

/** Says exactly what it was sent, as JSON in one text. */
export const echo: Agent = defineAgent({
  name: 'echo',
  description: 'Says what it was sent',
  version: '1.0.0',
  inputModes: ['*/*'],
  async *run(task) {
    yield JSON.stringify(task.message.parts.map(contentOf));
  },
});

/** Counts to a number, a chunk for each. */
export const counter: Agent = defineAgent({
  name: 'counter',
  description: 'Counts',
  version: '1.0.0',
  async *run(task) {
    for (let number = 1; number <= Number(task.text); number += 1) yield `${number} `;
  },
});

function contentOf(part: Part): unknown {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'data') return part.data;
  if (part.kind === 'bytes') return `${part.filename}: ${new TextDecoder().decode(bytesOf(part))}`;
  return part.url;
}

/** A server on a socket that lasts for the test. */
export async function serve(
  ...agents: readonly Agent[]
): Promise<{ readonly url: string; readonly at: (name: string) => string }> {
  const server = new A2AServer({ agents, drainTimeout: 0 });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const url = server.url ?? '';
  return { url, at: (name) => new URL(`/a2a/agents/${name}`, url).href };
}
