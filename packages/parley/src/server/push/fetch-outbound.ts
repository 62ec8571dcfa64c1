import type { Outbound } from './delivery/sender.ts';

/** Requests by `fetch`, without looking at addresses. */
export function fetchOutbound(): Outbound {
  return {
    async checkUrl(url) {
      const parsed = URL.parse(url);
      if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error('must be an absolute URL of http or https');
    },
    async post(url, { headers, body, signal, timeout }) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
      await response.body?.cancel();
      return { status: response.status, headers: Object.fromEntries(response.headers) };
    },
  };
}
