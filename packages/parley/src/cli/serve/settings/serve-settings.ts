import { dirname, resolve } from 'node:path';
import type { Agent } from '../../../agent/agent.ts';
import type { Given } from '../../../config/given.ts';
import { ConfigError } from '../../../config/given.ts';
import { readAssignment, readEnvironment, readFlag } from '../../../config/read-environment.ts';
import { readConfigFile } from '../../../config/read-file.ts';
import { nested, type Resolved, resolveSettings } from '../../../config/resolve.ts';
import { SETTINGS } from '../../../config/settings.ts';
import { readStorePlace, relocated, type StorePlace } from '../../../config/store-place.ts';
import { nearest } from '../../../model/options/nearest.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Arguments, OptionName } from '../../options.ts';
import { CommandError } from '../../show/problems.ts';
import type { Surroundings } from '../../surroundings.ts';
import { shortened } from '../module-problem.ts';
import { findConfig, loadConfig } from './config-file.ts';

/** The settings that a server starts with, from flags, the environment and a configuration file. */
export interface ServeSettings {
  readonly resolved: Resolved;
  /** The configuration file. */
  readonly file?: string | undefined;
  /** Variables that look like settings but are not. */
  readonly unknownVariables: readonly string[];
}

/** In the place of a file of keys: those in the store, whatever that is. */
export const KEYS_OF_STORE = 'store';

/** Reads all settings of a command line. Throws one error that names all that is wrong. */
export async function readSettings(
  { positionals, options }: Arguments,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<ServeSettings> {
  const file = findConfig(options.config, { cwd, env });
  const config = file === undefined ? undefined : await loadConfig(file, cwd);
  const problems: string[] = [];
  const attempt = <Value>(read: () => Value, otherwise: Value): Value => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return otherwise;
    }
  };
  const inFile = attempt(() => (config ? readConfigFile(config, nearest) : []), []);
  const { given: inEnvironment, unknown } = attempt(() => readEnvironment(env, nearest), { given: [], unknown: [] });
  const byFlag = flagsOf({ positionals, options }, attempt);
  if (options.db !== undefined) problems.push(...problemsOfFile(options.db, options.store));
  if (problems.length > 0) throw new CommandError(problems.join('; '), EXIT.usage, 'CONFIG');
  const folder = file === undefined ? cwd : dirname(file);
  const given = [...inFile.map((one) => located(one, folder, cwd)), ...inEnvironment, ...byFlag];
  return { resolved: resolveSettings(given), file, unknownVariables: unknown };
}

/** `--db` is short for `--store sqlite:FILE`. */
function problemsOfFile(file: string, store: string | undefined): readonly string[] {
  if (store !== undefined) return ['Either --db or --store: --db FILE is short for --store sqlite:FILE'];
  const isDatabase = readStorePlace(file)?.kind === 'postgres';
  return isDatabase ? ['--db names a SQLite file; a database is named by --store postgres://…'] : [];
}

type Attempt = <Value>(read: () => Value, otherwise: Value) => Value;

function flagsOf({ positionals, options }: Arguments, attempt: Attempt): readonly Given[] {
  const given: (Given | undefined)[] = [];
  for (const setting of SETTINGS.values()) {
    for (const flag of [setting.flag, setting.shortFlag]) {
      const value = flag === undefined ? undefined : options[flag as OptionName];
      if (value === undefined) continue;
      given.push(attempt(() => readFlag(setting, value, `--${flag}`, setting.flagKind), undefined));
    }
  }
  for (const setting of SETTINGS.values()) {
    const { flag, offFlag } = setting;
    if (offFlag === undefined || !options[offFlag as OptionName]) continue;
    if (flag !== undefined && options[flag as OptionName] !== undefined) {
      attempt(() => {
        throw new ConfigError([`Either --${flag} or --${offFlag}`]);
      }, undefined);
    }
    given.push({ setting, value: false, origin: 'flag', by: `--${offFlag}` });
  }
  for (const assignment of options.set ?? []) given.push(attempt(() => readAssignment(assignment, nearest), undefined));
  const agents = SETTINGS.get('agents');
  if (agents && positionals.length > 0) {
    given.push({ setting: agents, value: positionals, origin: 'flag', by: 'command line' });
  }
  return given.filter((one) => one !== undefined);
}

/** Paths in a file are relative to it; from here on they are relative to the folder of the command. */
function located(given: Given, folder: string, cwd: string): Given {
  const { setting, value } = given;
  if (!setting.isPath) return given;
  const locatePath = (path: string) => shortened(resolve(folder, path), cwd);
  const locate = (one: unknown) => {
    if (typeof one !== 'string') return one;
    if (setting.name === 'auth.keys' && one === KEYS_OF_STORE) return one;
    return setting.name === 'store' ? relocated(one, locatePath) : locatePath(one);
  };
  return { ...given, value: Array.isArray(value) ? value.map(locate) : locate(value) };
}

/** The value of a setting that is a text, a number or a flag. */
export function settingOf<Value>({ resolved }: ServeSettings, name: string): Value | undefined {
  return resolved.get(name)?.value as Value | undefined;
}

/** The modules and agents to serve. */
export function agentsOf(settings: ServeSettings): readonly (string | Agent)[] {
  return settingOf<readonly (string | Agent)[]>(settings, 'agents') ?? [];
}

/** The place of the tasks; undefined if a program has made the store. */
export function storePlaceOf(settings: ServeSettings): StorePlace | undefined {
  const store = settingOf<unknown>(settings, 'store') ?? 'memory';
  return typeof store === 'string' ? readStorePlace(store) : undefined;
}

/** The SQLite file of the tasks; undefined where they are kept elsewhere. */
export function databaseOf(settings: ServeSettings): string | undefined {
  const place = storePlaceOf(settings);
  return place?.kind === 'sqlite' ? place.file : undefined;
}

/** The settings that the server gets as they are: all that the command line does not handle itself. */
export function serverOptionsOf({ resolved }: ServeSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(nested(resolved)).filter(([name]) => !OF_COMMAND.has(name)));
}

/** Settings that the command line handles itself. */
const OF_COMMAND: ReadonlySet<string> = new Set([
  'agents',
  'port',
  'host',
  'tls',
  'store',
  'bus',
  'auth',
  'card',
  'log',
  'console',
  'telemetry',
]);
