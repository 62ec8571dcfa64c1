import { oauth } from '../../client/auth/oauth/credentials.ts';
import { authorizationCode } from '../../client/auth/oauth/flows/authorization-code.ts';
import { type DeviceCode, deviceCode } from '../../client/auth/oauth/flows/device-code.ts';
import type { Flow } from '../../client/auth/oauth/flows/flow.ts';
import { loopback } from '../../client/auth/oauth/node/loopback.ts';
import type { A2AClient } from '../../client/every-dialect-client.ts';
import { type A2AError, isA2AError } from '../../model/errors/errors.ts';
import { agentUrl, clientOf } from '../connect/connect.ts';
import { exitCodeOfError } from '../exit-codes.ts';
import { type Options, oneOf } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import type { Screen } from '../show/screen.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';
import type { Interruption } from '../turn/interruption.ts';
import { NewLogin } from './new-login.ts';
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

/** Asks a person to log in, and keeps what was granted for the origin that is called, which it returns. */
export async function logIn(place: LoginPlace): Promise<string> {
  const { url, options, surroundings, screen, interruption } = place;
  const { signal } = interruption;
  const files = new TokenFiles(surroundings.env);
  // No login for a token that cannot be kept.
  files.checkedFolder();
  const credentials = oauth({
    clientId: options['client-id'] ?? CLIENT_ID,
    issuer: options.issuer === undefined ? undefined : agentUrl(options.issuer),
    scopes: options.scope,
    flow: flowsOf(place),
    grants: new NewLogin(files),
    signal,
  });
  const client = clientOf(url, { ...options, token: undefined }, {}, { credentials });
  screen.busy(`asking ${agentUrl(url)}…`);
  try {
    // A guarded card is read with a token, so that this may be the login already.
    await client.agentCard({ timeout: 0, signal }).catch((error: unknown) => {
      if (!isA2AError(error) || error.code !== 'UNAUTHENTICATED') throw error;
      throw failedLogin(isA2AError(error.cause) ? error.cause : error, url);
    });
    const origin = originToCall(client, place);
    await credentials.signIn(client).catch((error: unknown) => {
      throw isA2AError(error) ? failedLogin(error, url) : error;
    });
    return origin;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    screen.idle();
  }
}

/** The advice for calls, to show a token or to log in, does not help here. */
function failedLogin(error: A2AError, url: string): CommandError {
  return new CommandError(`You cannot log in at ${url}: ${error.message}`, exitCodeOfError(error.code), error.code);
}

/** A token for another origin than the one that the user named would never be sent. */
function originToCall(client: A2AClient, { url, options }: LoginPlace): string {
  const named = new URL(agentUrl(url)).origin;
  const { origin } = new URL(client.interface?.url ?? named);
  const allowed = (options['allow-origin'] ?? []).map((text) => new URL(agentUrl(text)).origin);
  if (origin === named || allowed.includes(origin)) return origin;
  throw new CommandError(`The card at ${named} leads to ${origin}; log in there with --allow-origin ${origin}`);
}

/** The best one first: a page where a browser can be shown, a code elsewhere. */
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
