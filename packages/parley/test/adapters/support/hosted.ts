import { onTestFinished } from 'vitest';
import { RpcPeer } from '../../support/rpc.ts';
import type { Host, Hosting, HostOptions } from './host.ts';

export interface Hosted extends Hosting {
  /** Where the server is: the app's address with the prefix. */
  readonly base: string;
  readonly peer: RpcPeer;
}

/** A server on a host until the test ends. */
export async function hosted(host: Host, options: HostOptions = {}): Promise<Hosted> {
  const hosting = await host.start(options);
  onTestFinished(() => hosting.stop());
  const base = `${hosting.url}${options.prefix ?? ''}`;
  return { ...hosting, base, peer: new RpcPeer((request) => fetch(request), `${base}/a2a`) };
}
