import type { Kind } from './kinds.ts';

/** The place of the tasks, read from a text. */
export type StorePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

const SCHEME = /^([a-z][a-z0-9+.-]+):(.*)$/is;

/** Returns undefined for what is neither `memory`, a file, `sqlite:FILE` nor the address of a Postgres database. */
export function readStorePlace(text: string): StorePlace | undefined {
  if (text === 'memory') return { kind: 'memory' };
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  switch (scheme?.toLowerCase()) {
    case undefined:
      return text === '' ? undefined : { kind: 'sqlite', file: text };
    case 'sqlite':
      return rest === '' ? undefined : { kind: 'sqlite', file: rest };
    case 'postgres':
    case 'postgresql':
      return rest.startsWith('//') && URL.canParse(text) ? { kind: 'postgres', url: text } : undefined;
    default:
      return undefined;
  }
}

/** The same place with its file, if it has one, somewhere else. */
export function relocated(text: string, locate: (file: string) => string): string {
  const place = readStorePlace(text);
  return place?.kind === 'sqlite' ? locate(place.file) : text;
}

const known = (text: string) => (readStorePlace(text) ? text : undefined);

export const storePlace: Kind = {
  expects: 'a SQLite file (FILE or sqlite:FILE), memory, or postgres://user:password@host/database',
  read: (value) => (typeof value === 'string' ? known(value) : undefined),
  parse: known,
  schema: { type: 'string', minLength: 1 },
};

const isBusAddress = (text: string) => text.split(',').every((one) => /^(?:nats|tls):\/\/./i.test(one.trim()));

/** The address of a bus, or several of one cluster with commas between them. */
export const busAddress: Kind = {
  expects: 'the address of NATS, such as nats://127.0.0.1:4222',
  read: (value) => (typeof value === 'string' && isBusAddress(value) ? value : undefined),
  parse: (value) => (isBusAddress(value) ? value : undefined),
  schema: { type: 'string', pattern: '^([nN][aA][tT][sS]|[tT][lL][sS])://.' },
};
