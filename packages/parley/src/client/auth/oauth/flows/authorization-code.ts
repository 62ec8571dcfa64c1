import type { JsonObject } from '../../../../model/basics/json.ts';
import { A2AError, quoted } from '../../../../model/errors/errors.ts';
import { plainText } from '../requests.ts';
import { checkPage, type Flow, type FlowRequest } from './flow.ts';
import { challengeOf, randomText } from './pkce.ts';

/** The way of a person to the page of the authorization server, and of its response back. */
export interface Redirection {
  /** The address that the page sends the person back to; it must be registered for the client. */
  readonly redirectUri: string;
  /** Shows a page to a person; resolves with the address that the person was sent back to. */
  readonly visit: (pageUrl: string, signal: AbortSignal | undefined) => Promise<string | URL>;
  readonly close?: (() => void) | undefined;
}

/**
 * A person allows it on a page of the authorization server (RFC 6749 §4.1, with PKCE). In Node, `loopback()` takes the answer
 * of the page; elsewhere, a page of your own does.
 */
export function authorizationCode(redirection: Redirection | (() => Promise<Redirection>)): Flow {
  return {
    name: 'authorizationCode',
    async run(request) {
      const opened = typeof redirection === 'function' ? await redirection() : redirection;
      try {
        return await exchange(opened, request);
      } finally {
        opened.close?.();
      }
    },
  };
}

async function exchange({ redirectUri, visit }: Redirection, request: FlowRequest): Promise<JsonObject> {
  const { endpoints, clientId, scope, resource, post, signal } = request;
  const page = new URL(endpoints.authorizationUrl ?? '');
  // A server that names itself in the answer is known by that.
  if (!request.namesItself) checkPage(page, request);
  const [verifier, state] = [randomText(), randomText()];
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...scope,
    ...resource,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  const answer = new URL(await visit(page.href, signal), redirectUri).searchParams;
  const code = readAnswer(answer, state, request);
  return post(endpoints.tokenUrl, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...resource,
  });
}

/** An answer to another question, or of another server, is not looked at any further. */
function readAnswer(answer: URLSearchParams, state: string, { issuer, namesItself }: FlowRequest): string {
  if (answer.get('state') !== state) {
    throw new A2AError('UNAUTHENTICATED', 'The answer of the page is not to what was asked: its state differs');
  }
  const iss = answer.get('iss');
  if (iss === null ? namesItself : issuer !== undefined && iss !== issuer) {
    const named = iss === null ? 'nobody' : quoted(iss);
    throw new A2AError('UNAUTHENTICATED', `The answer of the page names ${named} as its issuer, not ${issuer}`);
  }
  const error = answer.get('error');
  if (error !== null) {
    const why = [error, answer.get('error_description') ?? ''].filter((text) => text !== '').map(plainText);
    throw new A2AError('UNAUTHENTICATED', `The page gives no code: ${why.join(': ')}`, { reason: plainText(error) });
  }
  const code = answer.get('code');
  if (code) return code;
  throw new A2AError('UNAUTHENTICATED', 'The answer of the page has no code');
}
