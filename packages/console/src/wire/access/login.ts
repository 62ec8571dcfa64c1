import type { A2AClient } from 'parley-a2a/client';
import type { Flow, Grant, GrantStore, OAuthCredentials, OAuthOptions } from 'parley-a2a/oauth';

/** A login at an authorization server. It lasts until the page is left: nothing of it is stored. */
interface Login {
  readonly credentials: OAuthCredentials;
  /** Tokens that were granted, and the secret that they were granted for. */
  readonly secrets: Set<string>;
}

/** By the address of the agent. */
const logins = new Map<string, Login>();

export function loginFor(url: string): OAuthCredentials | undefined {
  return logins.get(url)?.credentials;
}

export function forgetLogin(url: string): void {
  logins.delete(url);
}

export function grantedSecrets(url: string): readonly string[] {
  return [...(logins.get(url)?.secrets ?? [])];
}

export interface LoginOptions extends Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'issuer' | 'fetch' | 'signal'> {
  readonly flow: Flow;
}

/** Gets a token for the agent at `url`, and keeps it for the calls of this page. */
export async function logIn(url: string, client: A2AClient, options: LoginOptions): Promise<void> {
  const { oauth } = await import('parley-a2a/oauth');
  const secrets = new Set(options.clientSecret === undefined ? [] : [options.clientSecret]);
  const credentials = oauth({ ...options, grants: rememberedGrants(secrets) });
  logins.set(url, { credentials, secrets });
  try {
    await credentials.signIn(client);
  } catch (error) {
    if (logins.get(url)?.credentials === credentials) logins.delete(url);
    throw error;
  }
}

/** Keeps grants in memory, and what must not be shown of them. */
function rememberedGrants(secrets: Set<string>): GrantStore {
  const kept = new Map<string, readonly Grant[]>();
  return {
    read: (origin) => kept.get(origin) ?? [],
    write(origin, grants) {
      kept.set(origin, grants);
      for (const { accessToken, refreshToken } of grants) {
        secrets.add(accessToken);
        if (refreshToken !== undefined) secrets.add(refreshToken);
      }
    },
  };
}
