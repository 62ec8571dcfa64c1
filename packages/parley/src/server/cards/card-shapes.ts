import type { ExchangeRequest } from '../../bindings/exchange.ts';
import { versionSigns } from '../../bindings/http/answer.ts';
import { encodeMergedCard } from '../../dialects/cards/merged-card.ts';
import { OFFERED_DIALECTS } from '../../dialects/detect.ts';
import type { WireValue } from '../../dialects/dialect.ts';
import type { AgentCard } from '../../model/card.ts';

/** One version's card, or both sets of members in one document (reference: mapping §1). */
export type CardShape = 'merged' | '1.0' | '0.3';

/** The version that a request for a card names; undefined where it names none that is served. */
export function namedCardShape(request: ExchangeRequest, query: URLSearchParams): CardShape | undefined {
  const { headerVersion, queryVersion } = versionSigns(request, query);
  const version = /^(\d+\.\d+)(?:\.\d+)?$/.exec((headerVersion || queryVersion || '').trim())?.[1];
  return version === '1.0' || version === '0.3' ? version : undefined;
}

export function encodeCardAs(shape: CardShape, card: AgentCard): WireValue {
  const dialect = OFFERED_DIALECTS.find(({ version }) => version === shape);
  return dialect ? dialect.encodeCard(card) : encodeMergedCard(card);
}
