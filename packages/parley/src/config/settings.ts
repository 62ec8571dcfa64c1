import { type Setting, variableOf } from './setting.ts';
import { CONSOLE_SETTINGS } from './table/console-settings.ts';
import { LIMIT_SETTINGS } from './table/limit-settings.ts';
import { NODE_SETTINGS } from './table/node-settings.ts';
import { RETENTION_SETTINGS } from './table/retention-settings.ts';
import { CALLER_SETTINGS, PUSH_SETTINGS, STOP_SETTINGS } from './table/run-settings.ts';
import { ACCESS_SETTINGS, PLACE_SETTINGS, PROTOCOL_SETTINGS } from './table/server-settings.ts';
import { TELEMETRY_SETTINGS } from './table/telemetry-settings.ts';

/** The settings in groups, as the page about them has them. */
export const SETTING_GROUPS: readonly (readonly [title: string, settings: readonly Setting[]])[] = [
  ['Place', PLACE_SETTINGS],
  ['Nodes', NODE_SETTINGS],
  ['Access', ACCESS_SETTINGS],
  ['Stopping', STOP_SETTINGS],
  ['Retention', RETENTION_SETTINGS],
  ['Telemetry', TELEMETRY_SETTINGS],
  ['Console', CONSOLE_SETTINGS],
  ['Protocol', PROTOCOL_SETTINGS],
  ['Webhooks', PUSH_SETTINGS],
  ['Limits of callers', CALLER_SETTINGS],
  ['Limits', LIMIT_SETTINGS],
];

/** THE table of settings: files, variables, flags, the page and the JSON Schema derive from it. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  SETTING_GROUPS.flatMap(([, settings]) => settings).map((setting) => [setting.name, setting]),
);

/** The settings by the names of their variables. */
export const VARIABLES: ReadonlyMap<string, Setting> = new Map(
  [...SETTINGS.values()]
    .filter(({ isProgramValue }) => !isProgramValue)
    .flatMap((setting) =>
      [variableOf(setting.name), ...(setting.aliases ?? [])].map((name) => [name, setting] as const),
    ),
);

/** The settings and groups that are directly below a place: of `tls` they are `cert`, `key` and `ca`. */
export function membersOf(place: string): readonly string[] {
  const before = place === '' ? '' : `${place}.`;
  const below = [...SETTINGS.keys()].filter((name) => name.startsWith(before) && name !== place);
  return [...new Set(below.map((name) => name.slice(before.length).split('.')[0] ?? ''))];
}
