import type { A2AJson } from '../../../../../parley/src/server/operator/console-api.ts';
import type { WireMessage } from '../../log/wire-events.ts';

/** The message is one text and nothing else, so that a person can edit it as such. */
export function isPlainMessage(message: WireMessage | undefined): boolean {
  const [part, ...more] = message?.parts ?? [];
  return message === undefined || (more.length === 0 && typeof part?.text === 'string');
}

/** What a person edits: the text of a plain message, the JSON of any other. */
export function textOfMessage(message: WireMessage | undefined): string {
  if (message === undefined) return '';
  const text = message.parts?.[0]?.text;
  if (isPlainMessage(message) && typeof text === 'string') return text;
  const { role, parts, metadata } = message;
  return JSON.stringify({ role, parts, ...(metadata && { metadata }) }, undefined, 2);
}

/** The message with what the person made of it. Throws a sentence for the person where it is no JSON. */
export function editMessage(message: WireMessage | undefined, text: string): A2AJson {
  if (isPlainMessage(message)) {
    const part = { ...message?.parts?.[0], text };
    return { role: 'ROLE_USER', parts: [part], ...(message?.metadata && { metadata: message.metadata }) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The message is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as A2AJson;
  throw new Error('The message must be a JSON object with role and parts');
}
