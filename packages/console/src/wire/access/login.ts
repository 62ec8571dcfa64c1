import type { OAuthCredentials } from 'parley-a2a/oauth';

/** Logins at authorization servers, by the address of the agent. They last until the page is left. */
const logins = new Map<string, OAuthCredentials>();

export function loginFor(url: string): OAuthCredentials | undefined {
  return logins.get(url);
}

export function setLogin(url: string, login: OAuthCredentials | undefined): void {
  if (login) logins.set(url, login);
  else logins.delete(url);
}
