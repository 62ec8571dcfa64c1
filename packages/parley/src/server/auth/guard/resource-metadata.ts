import type { ExchangeRequest, ExchangeResponse } from '../../../bindings/exchange.ts';
import { varyingHeaders } from '../../cards/varying-headers.ts';
import type { Asked } from '../../http/asked.ts';
import { httpError } from '../../http/responses.ts';
import { type BaseUrlSettings, baseUrlOf } from '../../routing/base-url.ts';
import { withoutSlashes } from '../../routing/paths.ts';
import type { Authenticator } from '../authenticator.ts';

/** The path of the metadata of a resource, before that of the resource itself (RFC 9728 §3). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
const OPENID_DOCUMENT = '/.well-known/openid-configuration';

interface ResourceMetadataOptions {
  readonly authenticators: readonly Authenticator[];
  readonly settings: BaseUrlSettings;
  /** The path of the agent that a request is for; '' where it is for none. */
  readonly agentPath: (asked: Asked) => string;
  /** The paths of agents. */
  readonly paths: readonly string[];
  /** The scopes that some agent or skill asks for. */
  readonly scopes: () => readonly string[];
  /** Seconds for which clients may keep it. */
  readonly maxAge: number;
}

/** Tells clients which authorization servers hand out tokens for this server (RFC 9728). */
export class ResourceMetadata {
  readonly #options: ResourceMetadataOptions;
  readonly #audiences: readonly string[];

  constructor(options: ResourceMetadataOptions) {
    this.#options = options;
    this.#audiences = options.authenticators.flatMap(({ issuer }) => issuer?.audiences ?? []);
  }

  /** There is an authorization server to tell of. */
  get isOffered(): boolean {
    return this.#options.authenticators.some((one) => authorizationServerOf(one) !== undefined);
  }

  /** The address of the metadata for what a request asked for; undefined if there is none. */
  addressFor(asked: Asked): string | undefined {
    if (!this.isOffered) return undefined;
    const base = baseUrlOf(asked.request, this.#options.settings);
    const path = this.#options.agentPath(asked);
    return `${base}${RESOURCE_METADATA}${this.#audiencePath(base, path) ?? path}`;
  }

  /** `path`: that of the resource; '' for the whole server. */
  respond(request: ExchangeRequest, path: string): ExchangeResponse {
    const base = baseUrlOf(request, this.#options.settings);
    const audience = this.#audiences.find((one) => withoutSlashes(one) === `${base}${path}`);
    if (audience === undefined && path !== '' && !this.#options.paths.includes(path)) {
      return httpError('NOT_FOUND', 'No resource is there');
    }
    const { authenticators, scopes, maxAge } = this.#options;
    const servers = authenticators.flatMap((one) => authorizationServerOf(one) ?? []);
    const supported = scopes();
    const body = {
      resource: audience ?? `${base}${path}`,
      authorization_servers: [...new Set(servers)],
      ...(supported.length > 0 && { scopes_supported: supported }),
      bearer_methods_supported: ['header'],
    };
    const { url, trustProxy } = this.#options.settings;
    const vary = varyingHeaders({ url, trustProxy, schemes: undefined }).join(', ');
    const headers = {
      'content-type': 'application/json',
      'cache-control': `public, max-age=${maxAge}`,
      ...(vary && { vary }),
    };
    return { status: 200, headers, body: JSON.stringify(body) };
  }

  /** Tokens are for an audience: where that is an address which the agent is below, it is the resource. */
  #audiencePath(base: string, path: string): string | undefined {
    const fitting = this.#audiences
      .map(withoutSlashes)
      .filter((audience) => audience === base || audience.startsWith(`${base}/`))
      .map((audience) => audience.slice(base.length))
      .filter((own) => path === own || path.startsWith(`${own}/`));
    return fitting.toSorted((one, other) => other.length - one.length)[0];
  }
}

/** The issuer, as its metadata is found by it; undefined for credentials that no such server hands out. */
function authorizationServerOf({ issuer, scheme }: Authenticator): string | undefined {
  if (issuer !== undefined) return isWebAddress(issuer.url) ? issuer.url : undefined;
  if (scheme.type !== 'openIdConnect' || !scheme.openIdConnectUrl.endsWith(OPENID_DOCUMENT)) return undefined;
  return scheme.openIdConnectUrl.slice(0, -OPENID_DOCUMENT.length);
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
