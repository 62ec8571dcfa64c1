export interface SecuritySchemeBase {
  description?: string;
}

export interface APIKeySecurityScheme extends SecuritySchemeBase {
  type: 'apiKey';
  in: 'cookie' | 'header' | 'query';
  /** Names the cookie, header or parameter. */
  name: string;
}

export interface HTTPAuthSecurityScheme extends SecuritySchemeBase {
  type: 'http';
  /** Such as `Bearer`. */
  scheme: string;
  bearerFormat?: string;
}

export interface OAuth2SecurityScheme extends SecuritySchemeBase {
  type: 'oauth2';
  flows: OAuthFlows;
  /** RFC 8414. */
  oauth2MetadataUrl?: string;
}

export interface OpenIdConnectSecurityScheme extends SecuritySchemeBase {
  type: 'openIdConnect';
  openIdConnectUrl: string;
}

export interface MutualTLSSecurityScheme extends SecuritySchemeBase {
  type: 'mutualTLS';
}

export type SecurityScheme =
  | APIKeySecurityScheme
  | HTTPAuthSecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme
  | MutualTLSSecurityScheme;

export interface OAuthFlows {
  authorizationCode?: AuthorizationCodeOAuthFlow;
  clientCredentials?: ClientCredentialsOAuthFlow;
  implicit?: ImplicitOAuthFlow;
  password?: PasswordOAuthFlow;
}

interface OAuthFlow {
  /** The rights of each scope, by its name. */
  scopes: Record<string, string>;
  refreshUrl?: string;
}

export interface AuthorizationCodeOAuthFlow extends OAuthFlow {
  authorizationUrl: string;
  tokenUrl: string;
}

export interface ClientCredentialsOAuthFlow extends OAuthFlow {
  tokenUrl: string;
}

export interface ImplicitOAuthFlow extends OAuthFlow {
  authorizationUrl: string;
}

export interface PasswordOAuthFlow extends OAuthFlow {
  tokenUrl: string;
}
