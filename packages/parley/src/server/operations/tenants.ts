import { FIXED_SEGMENTS } from '../../bindings/rest/routes.ts';
import type { A2AServerOptions } from '../options.ts';

/** Which tenants exist. A name that is also a route could not be told from it in a path, so no tenant may have it. */
export function tenantCheck(tenants: A2AServerOptions['tenants']): (tenant: string) => boolean {
  if (typeof tenants === 'function') return (tenant) => !FIXED_SEGMENTS.has(tenant) && tenants(tenant);
  const taken = tenants?.find((tenant) => FIXED_SEGMENTS.has(tenant) || tenant === '');
  if (taken !== undefined)
    throw new TypeError(`"${taken}" cannot be a tenant: it is part of the server's own addresses`);
  const known = new Set(tenants);
  return (tenant) => known.has(tenant);
}
