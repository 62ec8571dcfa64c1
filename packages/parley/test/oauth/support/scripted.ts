import type { CredentialRequest } from 'parley-a2a/types';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

type Reply = object | Response | ((sent: Sent) => object | Response);

/** A `fetch` that knows these addresses and no other: an object is a JSON document, anything that is not there a 404. */
export function scriptedFetch(replies: Readonly<Record<string, Reply>>) {
  const sent: Sent[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '');
    const one = { method: request.method, url: request.url, headers: request.headers, form };
    sent.push(one);
    const reply = replies[request.url];
    const answer = typeof reply === 'function' ? reply(one) : (reply ?? new Response('', { status: 404 }));
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { fetch: send, sent, urls: () => sent.map(({ url }) => url) };
}

export const AGENT = 'https://agent.example';
export const LOGIN = 'https://login.example';

/** What a call of the agent asks of its credentials. */
export function requestFor(more: Partial<CredentialRequest> = {}): CredentialRequest {
  return {
    name: 'bearer',
    scheme: { type: 'http', scheme: 'Bearer' },
    scopes: [],
    skill: undefined,
    challenge: undefined,
    refused: undefined,
    url: `${AGENT}/a2a`,
    ...more,
  };
}

/** A well-behaved agent and its authorization server, which gives `token-1`, `token-2`, … */
export function repliesOf(more: Readonly<Record<string, Reply>> = {}): Readonly<Record<string, Reply>> {
  let tokens = 0;
  return {
    [`${AGENT}/.well-known/oauth-protected-resource/a2a`]: {
      resource: `${AGENT}/a2a`,
      authorization_servers: [LOGIN],
      scopes_supported: ['read', 'write'],
    },
    [`${LOGIN}/.well-known/oauth-authorization-server`]: metadata(),
    [`${LOGIN}/token`]: () => {
      tokens += 1;
      return {
        access_token: `token-${tokens}`,
        token_type: 'bearer',
        expires_in: 3600,
        refresh_token: `refresh-${tokens}`,
      };
    },
    ...more,
  };
}

export function metadata(more: object = {}): object {
  return {
    issuer: LOGIN,
    token_endpoint: `${LOGIN}/token`,
    authorization_endpoint: `${LOGIN}/authorize`,
    device_authorization_endpoint: `${LOGIN}/device`,
    ...more,
  };
}
