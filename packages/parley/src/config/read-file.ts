import { isPlainObject } from '../model/basics/json.ts';
import { FORMER_NAMES } from '../server/known-names.ts';
import { ConfigError, type Given, type Suggest, wrongValue } from './given.ts';
import { membersOf, SETTINGS } from './settings.ts';

export interface ConfigFile {
  /** For errors. */
  readonly name: string;
  /** The default export of a module, or the content of a JSON file. */
  readonly value: unknown;
  /** Values that only a program has may stand in it. */
  readonly isProgram: boolean;
}

/** The settings of a configuration file. Throws a ConfigError with all that is wrong. */
export function readConfigFile(file: ConfigFile, suggest: Suggest): readonly Given[] {
  const { name, value } = file;
  if (!isPlainObject(value)) throw new ConfigError([`${name} must have an object of settings`]);
  const given: Given[] = [];
  const problems: string[] = [];
  const { $schema: _, ...settings } = value;
  collect(settings, '', file, { given, problems, suggest });
  if (problems.length > 0) throw new ConfigError(problems);
  return given;
}

interface Found {
  readonly given: Given[];
  readonly problems: string[];
  readonly suggest: Suggest;
}

function collect(value: Readonly<Record<string, unknown>>, place: string, file: ConfigFile, found: Found): void {
  const known = membersOf(place);
  for (const [member, one] of Object.entries(value)) {
    if (one === undefined) continue;
    const name = place === '' ? member : `${place}.${member}`;
    const problem = known.includes(member) ? read(name, one, file, found) : unknown(name, member, known, found.suggest);
    if (problem !== undefined) found.problems.push(`${file.name}: ${problem}`);
  }
}

/** Returns what is wrong. */
function read(name: string, value: unknown, file: ConfigFile, found: Found): string | undefined {
  const setting = SETTINGS.get(name);
  const isGroup = membersOf(name).length > 0;
  if (isGroup && isMembers(value, name)) {
    collect(value, name, file, found);
    return undefined;
  }
  if (!setting) return `${name} must be an object with ${membersOf(name).join(', ')}`;
  if (setting.isProgramValue && !file.isProgram) return `${name} can only be set in a program such as parley.config.ts`;
  const known = setting.kind.read(value);
  if (known === undefined) return wrongValue(name, setting, value);
  found.given.push({ setting, value: known, origin: 'file', by: file.name });
  return undefined;
}

/** Tells an object of settings from a value that a program has made, such as an authenticator. */
function isMembers(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) return false;
  const setting = SETTINGS.get(name);
  if (!setting?.isProgramValue) return true;
  const members = membersOf(name);
  return Object.keys(value).some((member) => members.includes(member)) || Object.keys(value).length === 0;
}

function unknown(name: string, member: string, known: readonly string[], suggest: Suggest): string {
  const now = FORMER_NAMES.get(name);
  if (now !== undefined) return `${name} is ${now} now`;
  const meant = suggest(member, known);
  const place = name.slice(0, -member.length);
  // A setting of that name may be elsewhere, as a limit that was written beside `limits`.
  const elsewhere = [...SETTINGS.keys()].find((one) => one.split('.').at(-1) === member);
  const advice = meant === undefined ? elsewhere : place + meant;
  return `there is no setting ${name}; ${advice ? `did you mean ${advice}?` : `there are ${known.join(', ')}`}`;
}
