import { requestsOf } from '../../client/auth/oauth/sign-in.ts';
import type { A2AClient } from '../../client/every-dialect-client.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { agentUrl, connected } from '../connect/connect.ts';
import { type LoginPlace, logIn } from './login.ts';
import { storedCredentials } from './stored.ts';

/** Connects. In a terminal, a person whom the agent refuses its card is asked to log in. */
export async function connectOrLogIn(client: A2AClient, place: LoginPlace): Promise<void> {
  const { options, interruption, screen, url } = place;
  const connect = () => connected(client, options, interruption.signal);
  try {
    await connect();
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'UNAUTHENTICATED' || !mayAsk(place)) throw error;
    await logIn(place);
    screen.busy(`connecting to ${agentUrl(url)}…`);
    await connect();
  }
}

/** Connects for calls: the person is also asked where the card demands a token and none is kept. */
export async function connectLoggedIn(client: A2AClient, place: LoginPlace): Promise<void> {
  await connectOrLogIn(client, place);
  if (!mayAsk(place) || (await hasAllThatIsAsked(client, place))) return;
  await logIn(place);
  place.screen.busy(`connecting to ${agentUrl(place.url)}…`);
}

/** A user can be asked, and has not said yet who they are. */
function mayAsk({ options, surroundings: { env, stdin, stderr } }: LoginPlace): boolean {
  const isSaid = options.token ?? (env.PARLEY_TOKEN || undefined);
  const isShown = options.header?.some((line) => /^\s*authorization\s*:/i.test(line));
  return isSaid === undefined && !isShown && !options.json && stdin.isTTY === true && stderr.isTTY === true;
}

/** The card demands no token of an authorization server, or a login is kept that has one. */
async function hasAllThatIsAsked(client: A2AClient, { surroundings }: LoginPlace): Promise<boolean> {
  if ((client.card?.security ?? []).length === 0) return true;
  const asked = await requestsOf(client);
  const forLogins = asked.filter(({ scheme }) => scheme.type === 'oauth2' || scheme.type === 'openIdConnect');
  const stored = storedCredentials(surroundings.env);
  for (const request of forLogins) if ((await stored(request)) !== undefined) return true;
  return forLogins.length === 0;
}
