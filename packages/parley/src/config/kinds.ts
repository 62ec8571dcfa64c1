import type { JsonObject, JsonValue } from '../model/basics/json.ts';

/** The kind of a setting: it reads values of files and programs, and parses the text of variables and flags. */
export interface Kind {
  /** A phrase for errors: "a whole number from 0 to 65535". */
  readonly expects: string;
  /** Returns undefined for a value that is not of this kind. */
  readonly read: (value: unknown) => unknown;
  /** The same for a text. */
  readonly parse: (text: string) => unknown;
  readonly schema: JsonObject;
}

export const text: Kind = {
  expects: 'a text',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  parse: (value) => value,
  schema: { type: 'string', minLength: 1 },
};

const YES: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const NO: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

export const flag: Kind = {
  expects: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  parse: (value) => (YES.has(value.toLowerCase()) ? true : NO.has(value.toLowerCase()) ? false : undefined),
  schema: { type: 'boolean' },
};

/** Only this one value of `flag`, for what else has an object in its place. */
export const off: Kind = {
  expects: 'false',
  read: (value) => (value === false ? false : undefined),
  parse: (value) => (NO.has(value.toLowerCase()) ? false : undefined),
  schema: { const: false },
};

export function wholeNumber(least = 0, most = Number.MAX_SAFE_INTEGER): Kind {
  const fits = (value: unknown) =>
    Number.isSafeInteger(value) && isWithin(Number(value), least, most) ? value : undefined;
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  return {
    expects: `a whole number ${isOpen ? `of ${least} or more` : `from ${least} to ${most}`}`,
    read: fits,
    parse: (value) => (/^\d+$/.test(value) ? fits(Number(value)) : undefined),
    schema: { type: 'integer', minimum: least, ...(!isOpen && { maximum: most }) },
  };
}

export function number(least: number, most = Number.MAX_VALUE): Kind {
  const isOpen = most === Number.MAX_VALUE;
  const fits = (value: unknown) => (typeof value === 'number' && isWithin(value, least, most) ? value : undefined);
  return {
    expects: `a number ${isOpen ? `of ${least} or more` : `from ${least} to ${most}`}`,
    read: fits,
    parse: (value) => (/^\d+(?:\.\d+)?$/.test(value) ? fits(Number(value)) : undefined),
    schema: { type: 'number', minimum: least, ...(!isOpen && { maximum: most }) },
  };
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** A number with a unit behind it, or in the smallest unit without one. */
function amount(units: Readonly<Record<string, number>>, expects: string): Kind {
  const names = Object.keys(units);
  const sizes = new Map(Object.entries(units));
  const parse = (value: string) => {
    const [, count, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(value) ?? [];
    const size = sizes.get(unit?.toLowerCase() || (names[0] ?? ''));
    const total = Math.round(Number(count) * (size ?? Number.NaN));
    return Number.isSafeInteger(total) ? total : undefined;
  };
  const read = (value: unknown) => {
    if (typeof value === 'string') return parse(value);
    return typeof value === 'number' && value >= 0 ? value : undefined;
  };
  const pattern = `^[0-9]+([.][0-9]+)? ?(${names.join('|')})?$`;
  return { expects, read, parse, schema: { type: ['integer', 'string'], minimum: 0, pattern } };
}

const SECOND = 1000;

/** Milliseconds. */
export const duration: Kind = amount(
  { ms: 1, s: SECOND, m: 60 * SECOND, h: 3600 * SECOND, d: 86_400 * SECOND },
  'a time such as 30s, 5m or 2h, or a number of milliseconds',
);

/** Milliseconds too, but a number alone is one of seconds. */
export const seconds: Kind = {
  ...duration,
  expects: 'a number of seconds, or a time such as 500ms or 1m',
  parse: (value) => duration.parse(/^\d+(?:\.\d+)?$/.test(value) ? `${value}s` : value),
};

export const bytes: Kind = amount(
  { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 },
  'a size such as 64KB or 16MB, or a number of bytes',
);

export function choice(...words: readonly string[]): Kind {
  const read = (value: unknown) => words.find((word) => word === value);
  return { expects: `one of ${words.join(', ')}`, read, parse: read, schema: { enum: [...words] } };
}

/** A list; in variables and flags its elements are separated by commas. One element may stand for a list of one. */
export function list(of: Kind, plural: string): Kind {
  const all = (values: readonly unknown[], readOne: (value: never) => unknown) => {
    const found = values.map((value) => readOne(value as never));
    return found.length > 0 && !found.includes(undefined) ? found : undefined;
  };
  return {
    expects: `a list of ${plural}`,
    read: (value) => all(Array.isArray(value) ? value : [value], of.read),
    parse: (value) =>
      all(
        value.split(',').map((one) => one.trim()),
        (one: string) => (one === '' ? undefined : of.parse(one)),
      ),
    schema: { anyOf: [of.schema, { type: 'array', items: of.schema, minItems: 1 }] },
  };
}

export function either(first: Kind, second: Kind): Kind {
  return {
    expects: `${first.expects}, or ${second.expects}`,
    read: (value) => first.read(value) ?? second.read(value),
    parse: (value) => first.parse(value) ?? second.parse(value),
    schema: { anyOf: [first.schema, second.schema] },
  };
}

const ADDRESS = /^https?:\/\/./i;

/** The full URL of a server. */
export const address: Kind = {
  expects: 'a full URL such as https://agents.example.com',
  read: (value) => (typeof value === 'string' && ADDRESS.test(value) && URL.canParse(value) ? value : undefined),
  parse: (value) => (ADDRESS.test(value) && URL.canParse(value) ? value : undefined),
  schema: { type: 'string', pattern: '^[hH][tT][tT][pP][sS]?://.' },
};

/** Any JSON, which the server itself checks. */
export function json(expects: string, schema: JsonObject = {}): Kind {
  return {
    expects,
    read: (value) => value,
    parse: (value) => {
      try {
        return JSON.parse(value) as JsonValue;
      } catch {
        return undefined;
      }
    },
    schema,
  };
}

/** A value that only a program has, such as a function: it stands in `parley.config.ts`. */
export function programValue(expects: string): Kind {
  return { expects, read: (value) => (isMade(value) ? value : undefined), parse: () => undefined, schema: {} };
}

/** The depth to which functions are looked for. */
const DEEPEST = 3;

/** Tells what a program has made from what JSON could say: it is, or has, a function or an object of a class. */
function isMade(value: unknown, depth = 0): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return true;
  return Object.values(value).some((member) => isMade(member, depth + 1));
}
