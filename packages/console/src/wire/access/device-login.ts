import type { A2AClient } from 'parley-a2a/client';
import type { DeviceCode } from 'parley-a2a/oauth';
import { wiredFetch } from '../record/wired-options.ts';
import { setLogin } from './login.ts';

/** Logs in at the authorization server that the agent names, by a code that the person types on its page. */
export async function logInByDevice(
  url: string,
  client: A2AClient,
  clientId: string,
  onCode: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<void> {
  const { deviceCode, oauth } = await import('parley-a2a/oauth');
  const login = oauth({ clientId, flow: deviceCode({ onCode }), fetch: wiredFetch(url), signal });
  setLogin(url, login);
  try {
    await login.signIn(client);
  } catch (error) {
    setLogin(url, undefined);
    throw error;
  }
}
