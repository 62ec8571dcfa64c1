import { ODD_NAMES, oddText, oddValue } from './odd-values.ts';
import type { Random } from './random.ts';
import type { Template } from './templates.ts';

/** A request as it goes out. */
export interface FuzzedRequest {
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const HEADERS = [
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'accept',
  'content-type',
  'last-event-id',
  'idempotency-key',
  'if-none-match',
  'authorization',
  'x-a2a-trace-id',
  'traceparent',
  'x-a2a-timeout',
  'x-a2a-max-turns',
  'origin',
  'x-forwarded-host',
];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'a2a-version': ['1.0', '0.3', '0.3.0', '1', '2.0', '0.2.6', ''],
  accept: ['text/event-stream', 'application/json', '*/*', 'application/x-ndjson', ''],
  'content-type': ['application/json', 'application/a2a+json', 'text/plain', 'application/json; charset=utf-16', ''],
  'last-event-id': ['0', '1', '999999999999999999999', '-1', '1.1', 'x'],
  origin: ['null', 'https://evil.example.com'],
};
const SEGMENTS = ['tasks', 'message:send', 'v1', 'agents', 'fuzzed', '..', '%2e%2e', '%', '', 'x:cancel', 'card'];
const NOT_A_HEADER = /[^\t\u0020-\u007e\u0080-\u00ff]/g;
const UTF_8 = new TextEncoder();
/** More changes make a request that is refused for the first of them. */
const MOST_CHANGES = 3;

/** A request of a template with one to three changes. */
export function mutate(template: Template, random: Random): FuzzedRequest {
  const draft = new Draft(template, random);
  for (let changes = 1 + random.below(MOST_CHANGES); changes > 0; changes -= 1) draft.change();
  return draft.request();
}

class Draft {
  readonly #random: Random;
  readonly #name: string;
  #method: string;
  #target: string;
  readonly #headers: Map<string, string>;
  #body: unknown;
  #breaksBytes = false;

  constructor({ name, method, target, headers, body }: Template, random: Random) {
    this.#random = random;
    this.#name = name;
    this.#method = method;
    this.#target = target;
    this.#headers = new Map(Object.entries(headers));
    this.#body = structuredClone(body);
  }

  change(): void {
    const random = this.#random;
    // Most of what a server reads stands in the body.
    if (this.#body !== undefined && !random.once(4)) {
      if (random.once(12)) this.#breaksBytes = true;
      else this.#body = changedValue(this.#body, random);
      return;
    }
    const place = random.below(3);
    if (place === 0) this.#changeHeader();
    else if (place === 1) this.#changeTarget();
    else this.#method = random.pick(METHODS);
  }

  request(): FuzzedRequest {
    const text = this.#body === undefined ? undefined : (JSON.stringify(this.#body) ?? '');
    const bytes = text === undefined ? undefined : UTF_8.encode(text);
    return {
      name: this.#name,
      method: this.#method,
      target: this.#target,
      headers: Object.fromEntries(this.#headers),
      body: bytes && this.#breaksBytes ? brokenBytes(bytes, this.#random) : bytes,
    };
  }

  #changeHeader(): void {
    const random = this.#random;
    const name = random.pick(HEADERS);
    if (random.once(4)) this.#headers.delete(name);
    else this.#headers.set(name, headerText(random.pick(VALUES[name] ?? [oddText(random)])));
    if (random.once(8)) this.#headers.set(name, headerText(oddText(random)));
  }

  #changeTarget(): void {
    const random = this.#random;
    const [path = '', query = ''] = this.#target.split('?');
    const segments = path.split('/');
    const place = 1 + random.below(segments.length);
    const segment = random.once(2) ? random.pick(SEGMENTS) : encodeURIComponent(oddText(random).toWellFormed());
    segments.splice(place, random.below(2), segment.slice(0, 2_000));
    const odd = `${random.pick(ODD_NAMES)}=${encodeURIComponent(oddText(random).toWellFormed()).slice(0, 2_000)}`;
    this.#target = `${segments.join('/')}?${random.once(2) ? query : odd}`;
    if (!this.#target.startsWith('/')) this.#target = `/${this.#target}`;
  }
}

/** The same value with one place in it changed. */
function changedValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.once(12)) return oddValue(random);
  const names = Object.keys(value);
  if (Array.isArray(value)) return changedList(value, random);
  const members: Record<string, unknown> = { ...value };
  switch (names.length === 0 ? 0 : random.below(8)) {
    case 0:
      define(members, random.pick(ODD_NAMES), oddValue(random));
      break;
    case 1:
      delete members[random.pick(names)];
      break;
    default: {
      const name = random.pick(names);
      define(members, name, changedValue(members[name], random));
    }
  }
  return members;
}

function changedList(list: readonly unknown[], random: Random): unknown {
  const place = random.below(list.length + 1);
  if (random.once(3)) return list.toSpliced(place, 1);
  // Up to a few more than a message may have parts.
  if (random.once(10)) return Array.from({ length: 2 ** random.below(11) }, () => list[0] ?? oddValue(random));
  return list.toSpliced(place, 1, changedValue(list[place], random));
}

/** Sets `__proto__` as a member too. */
function define(members: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function brokenBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const place = random.below(bytes.length + 1);
  switch (random.below(4)) {
    case 0:
      return bytes.slice(0, place);
    case 1: {
      const changed = bytes.slice();
      changed[place] = random.below(256);
      return changed;
    }
    case 2:
      return new Uint8Array([...bytes.subarray(0, place), random.below(256), ...bytes.subarray(place)]);
    default:
      return new Uint8Array([...bytes, ...bytes.subarray(0, place)]);
  }
}

function headerText(text: string): string {
  return text.replaceAll(NOT_A_HEADER, '?').trim().slice(0, 2_000);
}
