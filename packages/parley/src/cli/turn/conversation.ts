import type { A2AClient } from '../../client/every-dialect-client.ts';
import type { ReconnectInfo } from '../../client/options.ts';
import { CardPlace } from '../connect/card-place.ts';
import { agentUrl, type ConnectOptions, clientOf } from '../connect/connect.ts';
import { connectLoggedIn } from '../login/connect-logged-in.ts';
import type { Options } from '../options.ts';
import { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { Interruption } from './interruption.ts';
import { Positions } from './positions.ts';

/** The tools of a command that calls an agent. */
export interface Conversation {
  readonly client: A2AClient;
  readonly screen: Screen;
  readonly interruption: Interruption;
  readonly positions: Positions;
  readonly surroundings: Surroundings;
  readonly options: Options;
  /** The agent's address as the user wrote it. */
  readonly url: string;
}

/** Connects, does something, and leaves the terminal in order whatever happens. */
export async function converse(
  url: string,
  options: Options,
  surroundings: Surroundings,
  talk: (conversation: Conversation) => Promise<number>,
  more: Pick<ConnectOptions, 'fetch'> = {},
): Promise<number> {
  const screen = new Screen(surroundings, options.json);
  const onReconnect = (info: ReconnectInfo) => {
    screen.alert = reconnecting(info);
  };
  const interruption = new Interruption(surroundings, screen);
  const positions = new Positions();
  try {
    const interceptors = [positions.interceptor];
    const place = new CardPlace();
    const watched = place.watching(more.fetch ?? fetch);
    const client = clientOf(url, options, surroundings.env, { fetch: watched, onReconnect, interceptors });
    screen.busy(`connecting to ${agentUrl(url)}…`);
    await connectLoggedIn(client, { url, options, surroundings, screen, interruption });
    const note = place.noteFor(agentUrl(url), client.card, surroundings.program);
    if (note) screen.note(note);
    return await talk({ positions, client, screen, interruption, surroundings, options, url });
  } finally {
    screen.idle();
    interruption.release();
  }
}

function reconnecting({ attempt, delay, resumes }: ReconnectInfo): string {
  const how = resumes ? 'going on where it was' : 'asking for what was missed';
  return `connection lost; ${how} in ${(delay / 1000).toFixed(1)}s (attempt ${attempt})`;
}
