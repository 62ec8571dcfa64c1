import { A2AServer } from '../../a2a-server.ts';
import { logStrayErrors } from '../../adapters/stray-errors.ts';
import type { Agent } from '../../agent/agent.ts';
import type { PrivateKeySource } from '../../cards/keys/signing-key.ts';
import { sourceOf } from '../../config/shown.ts';
import { nearest } from '../../model/options/nearest.ts';
import type { CardSettings } from '../../server/cards/card-setting.ts';
import type { ConsoleSetting } from '../../server/console/settings.ts';
import type { A2AServerOptions } from '../../server/options.ts';
import { isLoopbackHost } from '../../server/routing/locality.ts';
import { readKey } from '../connect/card-trust.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { logOf } from './logging.ts';
import { authOf } from './settings/auth-setting.ts';
import { type ServeSettings, serverOptionsOf, settingOf, storePlaceOf } from './settings/serve-settings.ts';
import { busOf, storeOf } from './settings/store-setting.ts';
import { inOptions, tlsOf } from './tls.ts';

const DEFAULT_PORT = 4000;

export function portOf(settings: ServeSettings): number {
  return settingOf<number>(settings, 'port') ?? DEFAULT_PORT;
}

/** Throws where the agent that is to be the default is not there. */
export function checkDefault(agents: readonly Agent[], settings: ServeSettings): void {
  const main = settingOf<string>(settings, 'default');
  const names = agents.map(({ name }) => name);
  if (main === undefined || names.includes(main)) return;
  const meant = nearest(main, names);
  const advice = meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`;
  throw new CommandError(`There is no agent ${main}; ${advice}`, EXIT.usage, 'USAGE');
}

/**
 * A server that listens. Whatever keeps it from doing so is told in one sentence, with what to do. `drainTimeout`: where the
 * settings have none.
 */
export async function listen(
  agents: readonly Agent[],
  settings: ServeSettings,
  { cwd, stderr, drainTimeout }: Pick<Surroundings, 'cwd' | 'stderr'> & { readonly drainTimeout?: number | undefined },
): Promise<A2AServer> {
  const tls = tlsOf(settings, cwd);
  const auth = await authOf(settings, cwd);
  const card = cardOf(settings, cwd);
  const log = await logOf(settings, stderr);
  try {
    const store = await storeOf(settings, cwd);
    const bus = await busOf(settings);
    const options = serverOptionsOf(settings) as Partial<A2AServerOptions>;
    const console = consoleOf(settings);
    const interceptors = [logStrayErrors(log), ...(options.interceptors ?? [])];
    const server = new A2AServer({
      drainTimeout,
      ...options,
      agents,
      store,
      bus,
      auth,
      card,
      log,
      console,
      interceptors,
    });
    return await server.listen({ port: portOf(settings), host: settingOf<string>(settings, 'host'), tls });
  } catch (error) {
    throw withAdvice(error, settings);
  }
}

/** On by default where only this machine reaches the server; everywhere else it must be asked for. */
function consoleOf(settings: ServeSettings): ConsoleSetting {
  const host = settingOf<string>(settings, 'host');
  const tracingUrl = settingOf<string>(settings, 'console.tracingUrl');
  const isOn = settingOf<boolean>(settings, 'console') ?? (host === undefined || isLoopbackHost(bracketed(host)));
  return isOn && tracingUrl !== undefined ? { tracingUrl } : isOn;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The card as the settings have it. */
function cardOf(settings: ServeSettings, cwd: string): CardSettings {
  const shape = settingOf<CardSettings['shape']>(settings, 'card.shape') ?? settingOf(settings, 'card');
  const access = settingOf<CardSettings['access']>(settings, 'card.access');
  const maxAge = settingOf<number>(settings, 'card.maxAge');
  const keys = settingOf<readonly string[]>(settings, 'card.sign');
  const sign = keys?.map((file) => ({ key: readKey('card-key', file, cwd) as PrivateKeySource }));
  return { shape, access, maxAge, sign };
}

function withAdvice(error: unknown, settings: ServeSettings): CommandError {
  const said = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  const text = said + setBy(said, settings);
  if (text.includes('(metrics.port)')) {
    return new CommandError(`${text.replace(' (metrics.port)', '')}; --metrics-port 0 takes any free one`);
  }
  if (text.includes('(grpc.port)')) {
    return new CommandError(`${text.replace(' (grpc.port)', '')}; --grpc-port 0 takes any free one`);
  }
  const damage = adviceOnDamage(error, text, settings);
  if (damage) return damage;
  if (error instanceof Error && error.name === 'StoreError') {
    if (storePlaceOf(settings)?.kind === 'sqlite') return new CommandError(`${text}; --db FILE chooses another file`);
    const isDown = 'code' in error && error.code === 'UNREACHABLE';
    return new CommandError(isDown ? `${text}; parley doctor looks at it` : text);
  }
  if (/^card\.sign/.test(text))
    return new CommandError(
      text
        .replace(/^card\.sign(\[\d+\])?(\.key)?/, '--card-key$1')
        .replace('needs url, or hosts with the names of this server', 'needs --url'),
    );
  if (/^tls\.(?:cert|key|ca)\b/.test(text)) return new CommandError(inOptions(text));
  if (/^console needs auth/.test(text)) return new CommandError(text.replace('needs auth', 'needs --keys FILE'));
  const [problem, remedy] = text.split(': give it auth');
  if (remedy !== undefined) {
    return new CommandError(`${problem}; --keys FILE lets in those with a key, --open lets in anybody`);
  }
  const cause = error instanceof Error ? error.cause : undefined;
  switch (cause instanceof Error && 'code' in cause ? cause.code : undefined) {
    case 'EADDRINUSE':
    case 'EACCES':
      return new CommandError(`${text}${givenBy('port', settings)}; --port 0 takes any free one`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandError(`${text}${givenBy('host', settings)}; --host 0.0.0.0 takes all addresses`);
    default:
      return new CommandError(text);
  }
}

/** A damaged file may show only when the tasks that were at work are looked for; SQLite's own words do not name it. */
function adviceOnDamage(error: unknown, text: string, settings: ServeSettings): CommandError | undefined {
  const place = storePlaceOf(settings);
  const isKnown = error instanceof Error && 'code' in error && error.code === 'CORRUPT';
  if (place?.kind !== 'sqlite' || !(isKnown || text.includes('database disk image is malformed'))) return undefined;
  const said = isKnown ? text : `${place.file} is damaged: ${text}`;
  return new CommandError(`${said}; parley db verify ${place.file} says what can be saved`);
}

/** Tells the origin of the setting that a server error begins with. */
function setBy(text: string, settings: ServeSettings): string {
  const [name = ''] = /^[a-z]\w*(?:\.\w+)*/i.exec(text) ?? [];
  return givenBy(name, settings);
}

/** Names the origin of a setting, unless it is a flag: the user knows of those. */
function givenBy(name: string, { resolved }: ServeSettings): string {
  const given = resolved.get(name);
  return given && given.origin !== 'flag' ? ` (set by ${sourceOf(given)})` : '';
}
