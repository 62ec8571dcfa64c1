import type { Redirection } from 'parley-a2a/oauth';

/** The address that authorization servers send people back to; it must be registered there. */
export const CALLBACK_URL = `${location.origin}/console/callback`;
const CHANNEL = 'parley.console.callback';
/** Milliseconds until a person who does not come back is given up. */
const LONGEST_VISIT = 10 * 60_000;
/** Milliseconds in which the window that waits for an answer says that it has it. */
const HANDOVER_TIME = 3_000;

/** What the window of the login and the one that waits for it say to each other. Only pages of this origin hear it. */
type Notice = { readonly kind: 'answer'; readonly search: string } | { readonly kind: 'taken'; readonly state: string };

/** Has a person log in in another window, which this page waits for. `onPage` shows the link to it. */
export function otherWindow(onPage: (pageUrl: string) => void): Redirection {
  return {
    redirectUri: CALLBACK_URL,
    visit(pageUrl, signal) {
      const state = new URL(pageUrl).searchParams.get('state') ?? '';
      const channel = new BroadcastChannel(CHANNEL);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const stop = () => reject(signal?.reason);
      const timer = setTimeout(() => reject(new Error('Nobody came back from the page.')), LONGEST_VISIT);
      channel.onmessage = ({ data }: MessageEvent<Notice>) => {
        if (data.kind !== 'answer' || stateOf(data.search) !== state) return;
        channel.postMessage({ kind: 'taken', state } satisfies Notice);
        resolve(CALLBACK_URL + data.search);
      };
      signal?.addEventListener('abort', stop, { once: true });
      onPage(pageUrl);
      return promise.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        channel.close();
      });
    },
  };
}

/** Hands the answer of an authorization server to the window that waits for it; tells whether one did. */
export function handOver(search: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), HANDOVER_TIME);
    channel.onmessage = ({ data }: MessageEvent<Notice>) => {
      if (data.kind !== 'taken' || data.state !== stateOf(search)) return;
      clearTimeout(timer);
      resolve(true);
    };
    channel.postMessage({ kind: 'answer', search } satisfies Notice);
  }).finally(() => channel.close());
}

function stateOf(search: string): string | null {
  return new URLSearchParams(search).get('state');
}
