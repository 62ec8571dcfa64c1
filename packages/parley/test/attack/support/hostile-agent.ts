import type { IncomingMessage } from 'node:http';
import { httpServer } from '../../cli/support/elsewhere.ts';

/** Begins every text of the hostile agent: titles, colours, cursor, bell, backspace, clipboard, 8-bit controls, overrides. */
export const POISON =
  '\u001b]0;OWNED\u0007\u001b[2J\u001b[31mOWNED\u001b]52;c;T1dORUQ=\u0007\b\u007f\u009b2J\u0090q\u009d0;OWNED\u009c\u202eOWNED\u2028\r';

/** Members that a client could not go on without, and addresses. */
const KEPT = new Set([
  'kind',
  'role',
  'state',
  'url',
  'jsonrpc',
  'protocolBinding',
  'protocolVersion',
  'preferredTransport',
  'transport',
  'timestamp',
  'nextPageToken',
  'mediaType',
  'mimeType',
  'raw',
  'bytes',
  'type',
  '@type',
  'in',
  'location',
]);

function poisoned(value: unknown, member = ''): unknown {
  if (typeof value === 'string') return KEPT.has(member) ? value : POISON + value;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name)]));
}

function poisonedText(text: string): string {
  try {
    return JSON.stringify(poisoned(JSON.parse(text)));
  } catch {
    return text;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  return text;
}

/** Stands before an agent and poisons every text in its answers. It takes its own ids back. */
export function poisoningProxy(target: string): Promise<string> {
  const written = JSON.stringify(POISON).slice(1, -1);
  return httpServer((incoming, outgoing) => {
    const respond = async () => {
      const body = (await bodyOf(incoming)).replaceAll(written, '');
      const path = (incoming.url ?? '/').replaceAll(encodeURIComponent(POISON), '');
      const { host: _host, 'content-length': _length, connection: _connection, ...headers } = incoming.headers;
      const init: RequestInit = { method: incoming.method ?? 'GET', headers: headers as Record<string, string> };
      if (body !== '') init.body = body;
      const response = await fetch(new URL(path, target), init);
      const text = (await response.text()).replaceAll(target, own(incoming));
      const type = response.headers.get('content-type') ?? '';
      const isStream = type.startsWith('text/event-stream');
      const changed = isStream
        ? text.replace(/^data: (.*)$/gm, (_, data: string) => `data: ${poisonedText(data)}`)
        : poisonedText(text);
      outgoing.writeHead(response.status, { 'content-type': type }).end(changed);
    };
    respond().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
}

function own({ headers }: IncomingMessage): string {
  return `http://${headers.host}`;
}
