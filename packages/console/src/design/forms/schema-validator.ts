import { type Schema, Validator } from '@cfworker/json-schema';
import {
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorList,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';

/** Errors that one form shows. */
const MOST_ERRORS = 50;

/** Keywords whose errors only say that something inside them is wrong, which an error of its own says better. */
const AROUND = new Set(['properties', 'items', 'additionalProperties', 'prefixItems', '$ref', 'allOf']);

/**
 * Checks the data of forms without evaluating code, which the CSP of the console forbids. A schema that cannot be understood
 * lets everything pass: the agent checks the answer itself.
 */
export const schemaValidator: ValidatorType = {
  validateFormData: (data, schema): ValidationData<unknown> => {
    const errors = errorsOf(schema, data);
    const errorSchema = schemaOfErrors(errors);
    return { errors: toErrorList(errorSchema), errorSchema };
  },
  isValid: (schema, data, rootSchema) => {
    try {
      return new Validator(withDefinitions(schema, rootSchema) as Schema).validate(data).valid;
    } catch {
      return false;
    }
  },
  rawValidation: (schema, data) => ({ errors: errorsOf(schema, data) as never[] }),
};

/** References of a part of a schema lead into the whole. */
function withDefinitions(schema: RJSFSchema, root: RJSFSchema): RJSFSchema {
  if (typeof schema !== 'object' || schema === root) return schema;
  return {
    ...schema,
    $defs: { ...root.$defs, ...schema.$defs },
    definitions: { ...root.definitions, ...schema.definitions },
  };
}

function errorsOf(schema: RJSFSchema, data: unknown): readonly RJSFValidationError[] {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(data ?? null);
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .slice(0, MOST_ERRORS)
      .map(({ keyword, instanceLocation, error }) => ({
        name: keyword,
        message: error,
        property: instanceLocation,
        stack: error,
      }));
  } catch {
    return [];
  }
}

/** Errors by the place of the data that they are about. */
function schemaOfErrors(errors: readonly RJSFValidationError[]): ErrorSchema {
  const root: Record<string, unknown> = {};
  for (const { name, message, property } of errors) {
    const path = (property ?? '#').replace(/^#\/?/, '').split('/').filter(Boolean).map(unescapePointer);
    const missing = name === 'required' ? /property "([^"]*)"/.exec(message ?? '')?.[1] : undefined;
    if (missing !== undefined) path.push(missing);
    let place = root;
    for (const key of path) {
      // The names come from data of strangers: only own members count, and none is the prototype.
      if (!Object.hasOwn(place, key))
        Object.defineProperty(place, key, { value: {}, enumerable: true, configurable: true, writable: true });
      place = place[key] as Record<string, unknown>;
    }
    place.__errors = [
      ...((place.__errors as string[] | undefined) ?? []),
      missing === undefined ? (message ?? name) : 'This is needed.',
    ];
  }
  return root as ErrorSchema;
}

function unescapePointer(segment: string | undefined): string {
  return decodeURIComponent(segment ?? '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
