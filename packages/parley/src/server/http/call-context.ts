import { type ExchangeRequest, header } from '../../bindings/exchange.ts';
import type { CallContext } from '../../bindings/service.ts';
import { isLocalCall, type LocalitySettings } from './locality.ts';

/** What a request says about the call beside its operation. */
export function callContext(request: ExchangeRequest, settings: LocalitySettings = {}): CallContext {
  const { headers, subject = '' } = request;
  return {
    subject,
    isLocal: () => isLocalCall(request, settings),
    // 0.3 clients use the second name (reference: v03 §1).
    requestedExtensions: extensionsOf(header(headers, 'a2a-extensions'), header(headers, 'x-a2a-extensions')),
    lastEventId: header(headers, 'last-event-id') || undefined,
    idempotencyKey: header(headers, 'idempotency-key'),
  };
}

const NONE: readonly string[] = [];

function extensionsOf(names: string | undefined, olderNames: string | undefined): readonly string[] {
  return names || olderNames ? [...listOf(names), ...listOf(olderNames)] : NONE;
}

function listOf(value: string | undefined): readonly string[] {
  if (!value) return NONE;
  return value
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
