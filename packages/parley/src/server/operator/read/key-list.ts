import type { ApiKeyFacet, ApiKeyRecord } from '../../../engine/ports.ts';
import { isoTime } from '../../../model/basics/timestamps.ts';
import type { KeyInfo, KeyPage } from '../console-api.ts';
import type { OperatorResource } from '../operator-routes.ts';
import { numberOf, placeOf, placeToken } from '../query-fields.ts';

const LARGEST_PAGE = 500;
const USUAL_PAGE = 100;

/** Lists the API keys of the store, without what proves them. */
export function keyList(store: Pick<ApiKeyFacet, 'listApiKeys'>): OperatorResource {
  return {
    method: 'GET',
    async respond({ query }): Promise<KeyPage> {
      const limit = numberOf(query, 'limit', 1, LARGEST_PAGE) ?? USUAL_PAGE;
      const after = placeOf(query, isId);
      const all = await store.listApiKeys();
      const begin = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const page = all.slice(begin, begin + limit);
      const last = page.at(-1);
      return { keys: page.map(shown), next: begin + limit < all.length && last ? placeToken(last.id) : undefined };
    },
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string';
}

function shown({ id, subject, tenant, scopes, createdAt }: ApiKeyRecord): KeyInfo {
  return { id, subject, tenant: tenant || undefined, scopes, createdAt: isoTime(createdAt) };
}
