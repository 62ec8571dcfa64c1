import type * as Validators from '@modelcontextprotocol/server/validators/ajv';
import { isPlainObject, type JsonObject } from '../../../../model/basics/json.ts';
import { loadPackage } from '../../load-package.ts';

/** Tells whether clients can work with a JSON Schema. */
export type SchemaCheck = (schema: JsonObject) => boolean;

/** Schemas whose verdict is kept. */
const KEPT_VERDICTS = 1000;

/**
 * Compiles schemas as clients do. Some refuse the list of all tools where one schema in it cannot be compiled, so a card
 * with such a schema would take the tools of all other agents with it.
 */
export async function loadSchemaCheck(): Promise<SchemaCheck> {
  const { AjvJsonSchemaValidator } = await loadPackage<typeof Validators>(
    '@modelcontextprotocol/server',
    () => import('@modelcontextprotocol/server/validators/ajv'),
  );
  const verdicts = new Map<string, boolean>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = verdicts.get(text);
    if (known !== undefined) return known;
    // A new one each time: schemas that claim the same name must not meet.
    const verdict = hasForm(schema) && compiles(new AjvJsonSchemaValidator(), schema);
    if (verdicts.size >= KEPT_VERDICTS) verdicts.clear();
    verdicts.set(text, verdict);
    return verdict;
  };
}

function hasForm({ properties, required }: JsonObject): boolean {
  const hasNames =
    required === undefined || (Array.isArray(required) && required.every((name) => typeof name === 'string'));
  return (
    hasNames && (properties === undefined || (isPlainObject(properties) && Object.values(properties).every(isSchema)))
  );
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isPlainObject(value);
}

function compiles(validator: InstanceType<typeof Validators.AjvJsonSchemaValidator>, schema: JsonObject): boolean {
  try {
    validator.getValidator(schema);
    return true;
  } catch {
    return false;
  }
}
