import { fetchObject, NoDocument, type Reading } from './bounded-fetch.ts';

/** The address of an issuer's keys, and the kind of document that named it. */
export interface Discovered {
  readonly jwksUrl: string;
  readonly kind: 'openid' | 'oauth';
  readonly documentUrl: string;
}

/** OpenID Connect Discovery §4: below the issuer. */
export function openIdUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** RFC 8414 §3.1: between the host and the path of the issuer. */
function oauthMetadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
}

/** Asks an issuer where its keys are. Keys of another origin are refused unless the origin is trusted. */
export async function discover(
  issuer: string,
  trustedOrigins: readonly string[],
  reading: Reading,
): Promise<Discovered> {
  const [kind, documentUrl, metadata] = await metadataOf(issuer, reading);
  // A document of another issuer would let that issuer's tokens in (RFC 8414 §3.3).
  if (metadata.issuer !== issuer) throw new Error(`${documentUrl} is of another issuer than ${issuer}`);
  const { jwks_uri: jwksUrl } = metadata;
  if (typeof jwksUrl !== 'string' || !URL.canParse(jwksUrl)) throw new Error(`${documentUrl} has no jwks_uri`);
  const { origin } = new URL(jwksUrl);
  if (origin !== new URL(issuer).origin && !trustedOrigins.includes(origin)) {
    throw new Error(`${documentUrl} leads to keys at ${origin}; name it in trustedOrigins if that is right`);
  }
  return { jwksUrl, kind, documentUrl };
}

type Metadata = readonly [kind: Discovered['kind'], url: string, metadata: Readonly<Record<string, unknown>>];

async function metadataOf(issuer: string, reading: Reading): Promise<Metadata> {
  const url = openIdUrl(issuer);
  try {
    return ['openid', url, await fetchObject(url, reading)];
  } catch (error) {
    if (!(error instanceof NoDocument) || error.status >= 500) throw error;
    const other = oauthMetadataUrl(issuer);
    return ['oauth', other, await fetchObject(other, reading)];
  }
}
