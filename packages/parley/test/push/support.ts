import type { A2AServerOptions } from 'parley-a2a';
import type { RpcPeer, Wire } from '../support/rpc.ts';

/** Receivers of tests are on this machine; retries are quick. */
export const LOCAL = {
  allow: ['127.0.0.0/8'],
  retry: { firstDelay: 5, longestDelay: 20, pauseAfter: 1_000 },
} satisfies A2AServerOptions['push'];

/** Registers a webhook; the config as the server shows it. */
export function register(peer: RpcPeer, taskId: string, config: Wire, headers?: Record<string, string>): Promise<Wire> {
  return peer.call('CreateTaskPushNotificationConfig', { taskId, ...config }, headers);
}

/** The configuration of a send that brings a webhook. */
export function inline(config: Wire, more: Wire = {}): Wire {
  return { taskPushNotificationConfig: config, ...more };
}
