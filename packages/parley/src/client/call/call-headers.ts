import { writeIdempotencyKey } from '../../bindings/http/idempotency-key.ts';
import type { CallingDialect } from '../../dialects/calling/calling.ts';
import { type AgentCard, RESUME_EXTENSION } from '../../model/card.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import type { CallDetails } from './calls.ts';

/** The headers that the user sets, by lower-case name. */
export async function userHeaders(
  { headers }: ClientOptions,
  details: CallOptions = {},
): Promise<Record<string, string>> {
  const general = typeof headers === 'function' ? await headers() : headers;
  return { ...withLowerCase(general), ...withLowerCase(details.headers) };
}

/** The headers of the protocol: extensions, idempotency key, position. */
export function protocolHeaders(
  { extensionsHeader }: CallingDialect,
  card: AgentCard | undefined,
  { extensions = [] }: ClientOptions,
  details: CallDetails,
): Record<string, string> {
  const declared = card?.capabilities.extensions ?? [];
  const asked = new Set([
    ...declared.filter(({ required, uri }) => required || uri === RESUME_EXTENSION).map(({ uri }) => uri),
    ...extensions,
    ...(details.extensions ?? []),
  ]);
  return {
    ...(asked.size > 0 && { [extensionsHeader]: [...asked].join(', ') }),
    ...(details.idempotencyKey !== undefined && { 'idempotency-key': writeIdempotencyKey(details.idempotencyKey) }),
    ...(details.lastEventId !== undefined && { 'last-event-id': details.lastEventId }),
  };
}

function withLowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
