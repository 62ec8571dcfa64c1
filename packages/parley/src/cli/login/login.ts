import { type OAuthCredentials, oauth } from '../../client/auth/oauth/credentials.ts';
import { authorizationCode } from '../../client/auth/oauth/flows/authorization-code.ts';
import { type DeviceCode, deviceCode } from '../../client/auth/oauth/flows/device-code.ts';
import type { Flow } from '../../client/auth/oauth/flows/flow.ts';
import { loopback } from '../../client/auth/oauth/node/loopback.ts';
import { agentUrl, clientOf } from '../connect.ts';
import { type Options, oneOf } from '../options.ts';
import type { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';
import type { Interruption } from '../turn/interruption.ts';
import { hasBrowser, openPage } from './page.ts';
import { TokenFiles } from './token-file.ts';

/** The name under which authorization servers know this program, unless told otherwise. */
const CLIENT_ID = 'parley';

export interface LoginPlace {
  readonly url: string;
  readonly options: Options;
  readonly surroundings: Surroundings;
  readonly screen: Screen;
  readonly interruption: Interruption;
}

/** Asks a person to log in, and keeps what was granted for the agent's origin. */
export async function logIn(place: LoginPlace): Promise<void> {
  const { url, options, surroundings, screen, interruption } = place;
  const { signal } = interruption;
  const credentials: OAuthCredentials = oauth({
    clientId: options['client-id'] ?? CLIENT_ID,
    issuer: options.issuer,
    scopes: options.scope,
    flow: flowsOf(place),
    grants: new TokenFiles(surroundings.env),
    signal,
  });
  const client = clientOf(url, { ...options, token: undefined }, {}, { credentials });
  screen.busy(`asking ${agentUrl(url)}…`);
  try {
    await credentials.signIn(client);
  } finally {
    screen.idle();
    signal.throwIfAborted();
  }
}

/** In the order of preference: a page where a browser can be shown, a code elsewhere. */
function flowsOf({ options, surroundings, screen }: LoginPlace): readonly Flow[] {
  const isHere = hasBrowser(surroundings);
  const page = authorizationCode(
    loopback({
      open(address) {
        showPage(address, screen);
        if (isHere) openPage(address);
      },
    }),
  );
  const code = deviceCode({ onCode: (shown) => showCode(shown, screen) });
  if (options.flow === undefined) return isHere ? [page, code] : [code, page];
  return oneOf('flow', options.flow, ['page', 'device']) === 'page' ? [page] : [code];
}

function showPage(address: string, screen: Screen): void {
  const page = cleanLine(address);
  if (screen.json) screen.object({ page });
  screen.note(`To log in, open this page on this machine:\n${page}`);
  screen.activity = 'waiting for the page…';
}

function showCode({ userCode, verificationUri, verificationUriComplete }: DeviceCode, screen: Screen): void {
  const [code, page] = [cleanLine(userCode), cleanLine(verificationUri)];
  if (screen.json) screen.object({ userCode, verificationUri, verificationUriComplete });
  screen.note(`To log in, open ${page} on any device and type the code ${screen.noteStyle.apply(code, 'bold')}`);
  screen.activity = `waiting for the code ${code} to be typed…`;
}
