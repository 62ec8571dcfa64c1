import type { SecurityScheme } from '../../model/card.ts';
import { type BaseUrlSettings, FORWARDED_HEADERS } from '../routing/base-url.ts';

interface VaryingSettings extends BaseUrlSettings {
  /** The schemes of those who may read a card; undefined where everybody may. */
  readonly schemes: readonly SecurityScheme[] | undefined;
}

/** The request headers that a card depends on: those that prove who reads it, and those that its addresses are made from. */
export function varyingHeaders({ schemes = [], ...settings }: VaryingSettings): readonly string[] {
  const forwarded = settings.trustProxy ? FORWARDED_HEADERS : [];
  const addressed = settings.url === undefined ? ['Host', ...forwarded] : [];
  return [...new Set([...schemes.flatMap(credentialHeaders), ...addressed])];
}

/** A key in the query is part of the address, by which caches tell responses apart; a certificate has no header. */
function credentialHeaders(scheme: SecurityScheme): readonly string[] {
  if (scheme.type === 'mutualTLS') return [];
  if (scheme.type !== 'apiKey') return ['Authorization'];
  if (scheme.in === 'query') return [];
  return [scheme.in === 'cookie' ? 'Cookie' : scheme.name];
}
