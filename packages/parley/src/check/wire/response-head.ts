import type { IncomingMessage } from 'node:http';
import type { Incoming } from './exchange.ts';

export function headOf(response: IncomingMessage): Pick<Incoming, 'status' | 'headers'> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: response.statusCode ?? 0, headers };
}
