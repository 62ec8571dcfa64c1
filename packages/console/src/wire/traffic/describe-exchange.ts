import { escapedControls } from '../../../../parley/src/cli/text/clean.ts';
import { maskedText, type SecretsShown } from '../../../../parley/src/snippets/secrets.ts';
import type { Tone } from '../../design/components/index.ts';
import type { WireExchange, WireFrame } from '../record/exchange.ts';

/** What an exchange is about, in a word or two: the operation, a card, or the path. */
export function titleOf({ call, request, target }: WireExchange): string {
  if (call) return call.operation;
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url;
  return target && request.method === 'GET' ? 'agent card' : path;
}

/** The method of JSON-RPC, or that of HTTP with the path. */
export function wireMethodOf({ request }: WireExchange): string {
  const found = /^\s*\{(?:[^{}]*,)?\s*"method"\s*:\s*"([^"\\]{1,80})"/.exec(request.body?.slice(0, 2000) ?? '');
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url;
  return found?.[1] ?? `${request.method} ${path}`;
}

export interface Outcome {
  readonly text: string;
  readonly tone: Tone;
}

export function outcomeOf({ response, end }: WireExchange): Outcome {
  if (end?.kind === 'failed') return { text: response ? `${response.status} cut` : 'failed', tone: 'bad' };
  if (!response) return end ? { text: 'left', tone: 'plain' } : { text: 'sent', tone: 'active' };
  const { status } = response;
  if (status >= 400) return { text: String(status), tone: status === 401 || status === 403 ? 'warn' : 'bad' };
  return end ? { text: String(status), tone: 'good' } : { text: `${status} live`, tone: 'active' };
}

/** The fields of a frame: its position, its event name, and its data. */
export interface FrameFields {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export function fieldsOf({ text }: WireFrame): FrameFields {
  let id: string | undefined;
  let event: string | undefined;
  const data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const name = line.slice(0, colon);
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { id, event, data: data.join('\n') };
}

/** JSON with line breaks where it is JSON; else the text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A text of the wire for a person: secrets masked, and characters that would turn or hide what stands around them escaped. */
export function shownText(text: string, secrets: SecretsShown): string {
  return escapedControls(maskedText(text.replaceAll('\r\n', '\n'), secrets));
}
