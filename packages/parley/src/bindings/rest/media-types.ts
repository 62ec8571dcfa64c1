import { A2AError, quoted } from '../../model/errors/errors.ts';
import { type ExchangeRequest, header } from '../exchange.ts';
import { requireNoPage } from '../http/body/page-bodies.ts';
import { essence } from '../http/media-type.ts';

/** A body must be of one of these types; a missing content type is let through where no web page sent it. */
export function requireMediaType(request: ExchangeRequest, known: readonly string[]): void {
  const type = header(request.headers, 'content-type');
  if (request.method !== 'POST' || request.body === undefined) return;
  if (type === undefined) requireNoPage(request, known[0]);
  if (type === undefined) return;
  if (known.includes(essence(type))) return;
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `The body must be ${known.join(' or ')}, not ${quoted(essence(type))}`,
  );
}

/**
 * Returns the media type of a response: another one than the plain one only for a client that names it, in `Accept` or as the
 * type of its own body. A wildcard names nothing (reference: v1-bindings §5.1).
 */
export function answerType(request: ExchangeRequest, known: readonly string[]): string {
  const [plain = 'application/json', ...special] = known;
  const named = [
    header(request.headers, 'content-type') ?? '',
    ...(header(request.headers, 'accept') ?? '').split(','),
  ];
  return special.find((type) => named.some((candidate) => essence(candidate) === type)) ?? plain;
}
