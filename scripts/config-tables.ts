import { type Setting, variableOf } from '../packages/parley/src/config/setting.ts';
import { membersOf, SETTING_GROUPS, SETTINGS } from '../packages/parley/src/config/settings.ts';
import type { JsonObject } from '../packages/parley/src/model/basics/json.ts';

/** The JSON Schema of `parley.config.json`. */
export function configSchema(): JsonObject {
  const { properties } = groupSchema('');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'parley.config.json',
    description: 'Settings of parley serve',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...(properties as JsonObject) },
  };
}

function groupSchema(place: string): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const member of membersOf(place)) {
    const schema = schemaAt(place === '' ? member : `${place}.${member}`);
    if (schema) properties[member] = schema;
  }
  return { type: 'object', additionalProperties: false, properties };
}

function schemaAt(name: string): JsonObject | undefined {
  const setting = SETTINGS.get(name);
  const own = setting && !setting.isProgramValue ? settingSchema(setting) : undefined;
  if (membersOf(name).length === 0) return own;
  const group = groupSchema(name);
  if (!own) return group;
  const { description, ...rest } = own;
  return { description, anyOf: [rest, group] };
}

function settingSchema({ kind, about, default: value }: Setting): JsonObject {
  const isSet = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return { description: about, ...withoutPrograms(kind.schema), ...(isSet && { default: value }) };
}

/** A value that only a program has is none in JSON. */
function withoutPrograms(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const left = (anyOf as readonly JsonObject[]).map(withoutPrograms).filter((one) => Object.keys(one).length > 0);
  return left.length === 1 ? (left[0] ?? {}) : { ...schema, anyOf: left };
}

/** The tables of docs/configuration.md. */
export function settingTables(): string {
  return SETTING_GROUPS.map(([title, settings]) => `### ${title}\n\n${tableOf(settings)}`).join('\n\n');
}

function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map((setting) => {
    const { name, flag, shortFlag, offFlag, isProgramValue, aliases = [], kind, about } = setting;
    const variables = isProgramValue ? 'in a program' : [variableOf(name), ...aliases].map(code).join(', ');
    const flags = [flag, shortFlag, offFlag].flatMap((one) => (one === undefined ? [] : [code(`--${one}`)])).join(', ');
    return `| ${code(name)} | ${about} | ${kind.expects} | ${defaultOf(setting)} | ${variables} | ${flags} |`;
  });
  return ['| setting | meaning | value | default | variable | flag |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function defaultOf({ default: value }: Setting): string {
  if (value === undefined) return '–';
  return typeof value === 'number'
    ? value.toLocaleString('en-US')
    : code(typeof value === 'string' ? value : JSON.stringify(value));
}

function code(text: string): string {
  return `\`${text}\``;
}
