import { createHash } from 'node:crypto';
import { A2AError, A2AServer, defineAgent, textOf } from 'parley-a2a';
import type { ExtensionDefinition } from 'parley-a2a/types';

export const DIGESTS = 'https://example.com/ext/digests/v1';

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Texts come with their SHA-256, from either side, so that the other one can check what arrived. */
const digests: ExtensionDefinition = {
  uri: DIGESTS,
  description: 'Texts come with their SHA-256',
  params: { algorithm: 'sha-256' },
  onRequest({ data, message }) {
    if (!message) return undefined;
    if (data === undefined) return { checked: false };
    if (data !== digestOf(textOf(message))) throw new A2AError('INVALID_PARAMS', 'The digest is not that of the text');
    return { checked: true };
  },
  onEvent(event) {
    if (event.kind === 'artifact') return digestOf(textOf(event.artifact));
    return event.kind === 'task' ? digestOf(textOf(event.task)) : undefined;
  },
};

const shouter = defineAgent({
  name: 'shouter',
  description: 'Repeats everything, louder',
  version: '1.0.0',
  extensions: [digests],
  async *run(task) {
    const isActive = task.extensions.includes(DIGESTS);
    if (isActive) await task.status(`Your text: ${JSON.stringify(task.message.metadata?.[DIGESTS])}`);
    for (const word of task.text.split(/(?<= )/)) yield word.toUpperCase();
  },
});

export const server = new A2AServer({ agents: [shouter] });
