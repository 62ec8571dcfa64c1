import { FORMER_NAMES } from '../server/known-names.ts';
import { ConfigError, type Given, type Suggest, wrongValue } from './given.ts';
import type { Kind } from './kinds.ts';
import { type Setting, variableOf } from './setting.ts';
import { SETTINGS, VARIABLES } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of this package that are no settings of a server. */
const OTHERS: ReadonlySet<string> = new Set([
  'PARLEY_MODEL',
  'PARLEY_TOKEN',
  'PARLEY_WEBHOOK_SECRET',
  'PARLEY_WATCHED_RUN',
  'PARLEY_CONFIG',
]);

/** Variables of settings that have other names now, with the names of today's. */
const FORMER_VARIABLES: ReadonlyMap<string, string> = new Map(
  [...FORMER_NAMES].map(([former, now]) => [variableOf(former), variableOf(now)]),
);

/** Kubernetes tells every container of the services that there are, and one of them may be called `parley`. */
const OF_KUBERNETES = /^PARLEY_(?:.+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_.+)?)?)$/;
const KUBERNETES_PORT = /^(?:tcp|udp|sctp):\/\//;

/** The settings of the environment, and names of unknown variables. An empty variable is as good as none. */
interface EnvironmentSettings {
  readonly given: readonly Given[];
  readonly unknown: readonly string[];
}

/** Throws a ConfigError with all that is wrong; a name that is nearly right is wrong. */
export function readEnvironment(env: Environment, suggest: Suggest): EnvironmentSettings {
  const problems: string[] = [];
  const given: Given[] = [];
  for (const [name, setting] of VARIABLES) {
    const text = env[name];
    // The name of today comes first; others count where it is not set.
    if (!text || isOfKubernetes(name, text) || given.some((one) => one.setting === setting)) continue;
    const value = setting.kind.parse(text);
    if (value === undefined) problems.push(wrongValue(name, setting, text));
    else given.push({ setting, value, origin: 'environment', by: name });
  }
  const unknown: string[] = [];
  for (const name of Object.keys(env)) {
    if (!env[name] || !name.startsWith('PARLEY_') || VARIABLES.has(name) || OTHERS.has(name)) continue;
    if (OF_KUBERNETES.test(name)) continue;
    const now = FORMER_VARIABLES.get(name);
    const meant = nearestVariable(name, suggest);
    if (now !== undefined) problems.push(`${name} is ${now} now`);
    else if (meant === undefined) unknown.push(name);
    else problems.push(`There is no variable ${name}; did you mean ${meant}?`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { given, unknown };
}

function isOfKubernetes(name: string, text: string): boolean {
  return OF_KUBERNETES.test(name) && KUBERNETES_PORT.test(text);
}

/** The part that all names share would make too many alike. */
function nearestVariable(name: string, suggest: Suggest): string | undefined {
  const names = [...VARIABLES.keys()].filter((one) => one.startsWith('PARLEY_'));
  const shortened = (one: string) => one.slice('PARLEY_'.length).toLowerCase();
  const meant = suggest(shortened(name), names.map(shortened));
  return names.find((one) => shortened(one) === meant);
}

/** The value of `--set NAME=VALUE`; throws a ConfigError. */
export function readAssignment(assignment: string, suggest: Suggest): Given {
  const equals = assignment.indexOf('=');
  const name = equals < 0 ? assignment : assignment.slice(0, equals);
  const setting = SETTINGS.get(name);
  if (!setting) {
    const now = FORMER_NAMES.get(name);
    if (now !== undefined) throw new ConfigError([`--set: ${name} is ${now} now`]);
    const meant = suggest(name, [...SETTINGS.keys()]);
    throw new ConfigError([`--set: there is no setting ${name}${meant ? `; did you mean ${meant}?` : ''}`]);
  }
  if (equals < 0) throw new ConfigError([`--set ${name} needs a value: --set ${name}=VALUE`]);
  return readFlag(setting, assignment.slice(equals + 1), `--set ${name}`);
}

/** The value of a flag; throws a ConfigError. */
export function readFlag(
  setting: Setting,
  text: string | boolean | readonly string[],
  by: string,
  kind: Kind = setting.kind,
): Given {
  const value = typeof text === 'string' ? kind.parse(text) : kind.read(text);
  if (value === undefined) throw new ConfigError([wrongValue(by, { ...setting, kind }, text)]);
  return { setting, value, origin: 'flag', by };
}
