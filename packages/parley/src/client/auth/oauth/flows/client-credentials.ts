import type { Flow } from './flow.ts';

/** The client itself is let in, by its secret (RFC 6749 §4.4). */
export const clientCredentialsFlow: Flow = {
  name: 'clientCredentials',
  run: ({ endpoints, scope, resource, post }) =>
    post(endpoints.tokenUrl, { grant_type: 'client_credentials', ...scope, ...resource }),
};
