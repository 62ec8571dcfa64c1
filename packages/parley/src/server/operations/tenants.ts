import { FIXED_SEGMENTS } from '../../bindings/rest/routes.ts';
import { requireNow } from '../../model/basics/promises.ts';
import type { Caller } from '../../model/call.ts';
import { A2AError } from '../../model/errors/errors.ts';

/** Tenants that requests may name: all of them, or a function that knows them. */
export type TenantSetting = readonly string[] | ((tenant: string) => boolean);

/** Steps in a path, even where they are encoded. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * The tenants of a server, and who may use which. A name that is also a route could not be told from it in a path, so no
 * tenant may have it.
 */
export class Tenants {
  readonly #isKnown: ((tenant: string) => boolean) | undefined;
  readonly #taken: ReadonlySet<string>;

  /** `taken`: further names that are routes of this server. Throws a TypeError for a tenant that cannot be one. */
  constructor(setting: TenantSetting | undefined, taken: Iterable<string> = []) {
    this.#taken = new Set([...FIXED_SEGMENTS, ...STEPS, ...taken]);
    if (typeof setting === 'function') {
      this.#isKnown = (tenant) => requireNow(setting(tenant), 'The function tenants') === true;
      return;
    }
    if (setting === undefined) return;
    const unusable = setting.find((tenant) => typeof tenant !== 'string' || tenant === '' || this.#taken.has(tenant));
    if (unusable !== undefined)
      throw new TypeError(`"${unusable}" cannot be a tenant: it is part of the server's own addresses`);
    const known = new Set(setting);
    this.#isKnown = (tenant) => known.has(tenant);
  }

  /**
   * The tenant whose things a request is about; '' for those of no tenant. Undefined where the tenant that the request names is
   * not known, or not the caller's: to the caller that is the same. Throws PERMISSION_DENIED for a caller whose own tenant is not served.
   */
  tenantOf(named: string, { tenant: own }: Pick<Caller, 'tenant'>): string | undefined {
    if (own === '') return named === '' || this.#isServed(named, false) ? named : undefined;
    if (named !== '' && named !== own) return undefined;
    if (!this.#isServed(own, true)) {
      throw new A2AError('PERMISSION_DENIED', 'The tenant that these credentials belong to is not served here');
    }
    return own;
  }

  /** `otherwise`: where the server does not say which tenants there are. */
  #isServed(tenant: string, otherwise: boolean): boolean {
    return !this.#taken.has(tenant) && (this.#isKnown ? this.#isKnown(tenant) : otherwise);
  }
}
