import { A2AClient } from 'parley-a2a';
import { DIGESTS, digestOf } from './digests.ts';

/** Sends a text with its digest, and checks each chunk of what comes back by the chunk's own. */
export async function shout(url: string, text: string): Promise<string> {
  const client = await A2AClient.connect(url, { extensions: [DIGESTS] });
  const stream = client.sendMessageStream(text, { messageMetadata: { [DIGESTS]: digestOf(text) } });
  let whole = '';
  for await (const event of stream) {
    if (event.kind !== 'artifact') continue;
    const [part] = event.artifact.parts;
    const chunk = part?.kind === 'text' ? part.text : '';
    if (event.metadata?.[DIGESTS] !== digestOf(chunk)) throw new Error('A chunk was changed on its way');
    whole += chunk;
  }
  return whole;
}
