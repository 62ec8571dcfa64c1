import type { JsonObject } from '../../../model/basics/json.ts';
import { basic } from '../basic.ts';
import { postForm, type Requests, refusalOf } from './requests.ts';

/** The client that asks for tokens. */
interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** Posts to an authorization server as a client: with its secret (RFC 6749 §2.3.1), or with its id alone. */
export async function postAs(
  client: OAuthClient,
  url: URL,
  form: Readonly<Record<string, string>>,
  secretInForm: boolean,
  requests: Requests,
): Promise<JsonObject> {
  const [headers, own] = proofOf(client, secretInForm);
  const answer = await postForm(url, { ...form, ...own }, headers, requests);
  // Some servers take the secret in the form only, and few of them say so.
  const isUnknown = client.clientSecret !== undefined && answer.body?.error === 'invalid_client';
  if (isUnknown && !secretInForm) return postAs(client, url, form, true, requests);
  if (answer.status !== 200 || !answer.body || answer.body.error !== undefined) throw refusalOf(url, answer);
  return answer.body;
}

type Fields = Readonly<Record<string, string>>;

function proofOf({ clientId, clientSecret }: OAuthClient, inForm: boolean): readonly [headers: Fields, form: Fields] {
  if (clientSecret === undefined) return [{}, { client_id: clientId }];
  if (inForm) return [{}, { client_id: clientId, client_secret: clientSecret }];
  return [{ authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)) }, {}];
}
