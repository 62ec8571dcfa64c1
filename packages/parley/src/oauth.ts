/** Tokens from authorization servers, for clients: values of the option `credentials`. */
export { type OAuthCredentials, oauth } from './client/auth/oauth/credentials.ts';
export { authorizationCode, type Redirection } from './client/auth/oauth/flows/authorization-code.ts';
export { clientCredentialsFlow } from './client/auth/oauth/flows/client-credentials.ts';
export { type DeviceCode, type DeviceCodeOptions, deviceCode } from './client/auth/oauth/flows/device-code.ts';
export type { Flow, FlowRequest } from './client/auth/oauth/flows/flow.ts';
export type { Grant, GrantStore } from './client/auth/oauth/grants.ts';
export type { OAuthOptions } from './client/auth/oauth/options.ts';
export type { Endpoints, FlowName } from './client/auth/oauth/server.ts';
