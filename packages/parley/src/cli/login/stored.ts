import { oauth } from '../../client/auth/oauth/credentials.ts';
import type { CredentialRequest } from '../../client/options.ts';
import type { Surroundings } from '../surroundings.ts';
import { TokenFiles } from './token-file.ts';

/** The token of a login that is kept for the origin of a call, renewed where it is due. Never asks a person. */
export function storedCredentials(env: Surroundings['env']) {
  const grants = new TokenFiles(env);
  return async (request: CredentialRequest): Promise<string | undefined> => {
    const clients = new Set(grants.read(new URL(request.url).origin).map(({ clientId }) => clientId));
    for (const clientId of clients) {
      // Scopes that the login lacks are the server's to miss: it says which.
      const token = await oauth({ clientId, flow: [], scopes: [], grants })(request);
      if (token !== undefined) return token;
    }
    return undefined;
  };
}
