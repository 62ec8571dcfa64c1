/** The flows by which tokens are had, as cards name them. */
export type FlowName = 'clientCredentials' | 'deviceCode' | 'authorizationCode';

/** The authorization server of one flow. */
export interface Endpoints {
  readonly tokenUrl: URL;
  readonly authorizationUrl?: URL | undefined;
  readonly deviceUrl?: URL | undefined;
}

/** An authorization server as a flow needs to know it. */
export interface AuthorizationServer {
  /** Undefined where only the flows of the card are known. */
  readonly issuer: string | undefined;
  readonly endpoints: Readonly<Partial<Record<FlowName, Endpoints>>>;
  /** It names itself in the answers of its pages (RFC 9207). */
  readonly namesItself: boolean;
  /** The secret of a client goes into the form instead of a header. */
  readonly takesSecretInForm: boolean;
  /** It gives refresh tokens to clients that ask for this scope (OpenID Connect). */
  readonly hasOfflineAccess: boolean;
}
