import type { DescMessage } from '@bufbuild/protobuf';
import { infinitePath, isPlainObject } from '../../../model/basics/json.ts';
import { A2AError, invalidParams, quoted } from '../../../model/errors/errors.ts';
import { DEFAULT_INPUT_LIMITS, type InputLimits } from '../../../model/input-limits.ts';
import { ByteReader, unreadable, WIRE } from './byte-reader.ts';
import { type FieldPlan, type MessagePlan, planOf } from './plan.ts';
import { EPOCH, timeOf, timeText } from './time.ts';

/** The bounds of what is read: the nesting of its JSON, and its texts, names, objects and arrays. */
type ReadLimits = Pick<InputLimits, 'depth' | 'values'>;

type Members = Record<string, unknown>;

/**
 * Reads a message of the wire format as the ProtoJSON that dialects read. Throws PARSE_ERROR for bytes that are no such message,
 * PAYLOAD_TOO_LARGE where it has too many values, and INVALID_PARAMS where it is nested too deep or has a number that is none.
 */
export function readMessage(
  message: DescMessage,
  bytes: Uint8Array,
  limits: ReadLimits = DEFAULT_INPUT_LIMITS,
): Members {
  return new MessageReader(bytes, limits).read(planOf(message));
}

class MessageReader {
  readonly #bytes: ByteReader;
  readonly #limits: ReadLimits;
  #values = 0;
  #hasInfinity = false;

  constructor(bytes: Uint8Array, limits: ReadLimits) {
    this.#bytes = new ByteReader(bytes);
    this.#limits = limits;
  }

  read(plan: MessagePlan): Members {
    const json: Members = {};
    this.#fields(plan, json, this.#bytes.length, this.#limits.depth);
    if (this.#hasInfinity) {
      const field = quoted(infinitePath(json) ?? 'body');
      throw invalidParams({ field, description: 'must be a number that JSON can write' });
    }
    return json;
  }

  /** @param levels the nesting that is still allowed, this message included */
  #fields(plan: MessagePlan, json: Members, end: number, levels: number): void {
    this.#count(levels);
    const reader = this.#bytes;
    while (reader.at < end) {
      const tag = reader.varint(end);
      const number = tag < 0x80 ? tag >> 3 : Math.floor(tag / 8);
      if (number === 0 || number > LARGEST_NUMBER) throw unreadable('a field has no number that there is');
      const field = plan.byNumber[number];
      if (field) this.#field(field, tag & 7, json, end, levels);
      else reader.skip(tag, end, levels);
    }
    for (const { name, value } of plan.always) json[name] ??= Array.isArray(value) ? [] : value;
  }

  #field(field: FieldPlan, type: number, json: Members, end: number, levels: number): void {
    const { name, shape } = field;
    if (type !== (field.isNumber ? WIRE.VARINT : WIRE.LENGTH)) throw unreadable(`${field.place} has another type`);
    if (field.rivals) for (const rival of field.rivals) if (rival in json) delete json[rival];
    if (shape === 'single') {
      const value = this.#content(field, field.isMerged ? json[name] : undefined, end, levels);
      // A default on the wire says no more than one that is absent.
      if (!field.hasPresence && (value === '' || value === 0 || value === false)) delete json[name];
      else json[name] = value;
    } else if (shape === 'list') {
      let list = json[name] as unknown[] | undefined;
      if (!list) {
        this.#count(levels - 1);
        list = [];
        json[name] = list;
      }
      list.push(this.#content(field, undefined, end, levels - 1));
    } else {
      this.#entry(field, this.#object(json, name, levels), end, levels - 1);
    }
  }

  /** @param before the value of an earlier occurrence: messages are merged, of all else the last counts */
  #content(field: FieldPlan, before: unknown, end: number, levels: number): unknown {
    const reader = this.#bytes;
    switch (field.kind) {
      case 'text':
        this.#tally();
        return reader.text(end, field.place);
      case 'bytes':
        return reader.base64(end);
      case 'integer':
        return reader.integer(end);
      case 'flag':
        return reader.varint(end) !== 0;
      case 'enum': {
        const number = reader.integer(end);
        return number === 0 && !field.hasPresence ? 0 : (field.names.get(number) ?? number);
      }
      case 'time':
        return this.#time(field, before as string | undefined, reader.endOfContent(end));
      case 'value':
        return this.#value(before, reader.endOfContent(end), levels);
      case 'struct': {
        const struct = (before ?? {}) as Members;
        this.#struct(struct, reader.endOfContent(end), levels - 1);
        return struct;
      }
      case 'message': {
        const nested = (before ?? {}) as Members;
        this.#fields(field.message(), nested, reader.endOfContent(end), levels - 1);
        return nested;
      }
    }
  }

  /** One entry of a map: its key and its value, of which either may be missing. */
  #entry(field: FieldPlan, map: Members, end: number, levels: number): void {
    const reader = this.#bytes;
    const stop = reader.endOfContent(end);
    let key = '';
    let value: unknown;
    while (reader.at < stop) {
      const tag = reader.varint(stop);
      if (tag === KEY) key = reader.text(stop, field.place);
      else if (tag === VALUE) value = this.#content(field, value, stop, levels);
      else reader.skip(tag, stop, levels);
    }
    this.#tally();
    put(map, key, value ?? (field.kind === 'text' ? '' : {}));
  }

  #struct(struct: Members, stop: number, levels: number): void {
    this.#count(levels);
    const reader = this.#bytes;
    while (reader.at < stop) {
      const tag = reader.varint(stop);
      if (tag !== KEY) {
        reader.skip(tag, stop, levels);
        continue;
      }
      const end = reader.endOfContent(stop);
      let key = '';
      let value: unknown;
      while (reader.at < end) {
        const part = reader.varint(end);
        if (part === KEY) key = reader.text(end, 'a name in a Struct');
        else if (part === VALUE) value = this.#value(value, reader.endOfContent(end), levels);
        else reader.skip(part, end, levels);
      }
      this.#tally();
      put(struct, key, value ?? null);
    }
  }

  /** A `google.protobuf.Value` with nothing in it is null. */
  #value(before: unknown, stop: number, levels: number): unknown {
    const reader = this.#bytes;
    let value: unknown = before ?? null;
    while (reader.at < stop) {
      const tag = reader.varint(stop);
      switch (tag) {
        case NULL_VALUE:
          reader.varint(stop);
          value = null;
          break;
        case NUMBER_VALUE:
          value = reader.double(stop);
          if (!Number.isFinite(value)) this.#hasInfinity = true;
          break;
        case STRING_VALUE:
          this.#tally();
          value = reader.text(stop, 'a text in a Value');
          break;
        case BOOL_VALUE:
          value = reader.varint(stop) !== 0;
          break;
        case STRUCT_VALUE:
          if (!isPlainObject(value)) value = {};
          this.#struct(value as Members, reader.endOfContent(stop), levels - 1);
          break;
        case LIST_VALUE:
          value = this.#list(Array.isArray(value) ? value : [], reader.endOfContent(stop), levels - 1);
          break;
        default:
          reader.skip(tag, stop, levels);
      }
    }
    return value;
  }

  #list(list: unknown[], stop: number, levels: number): readonly unknown[] {
    this.#count(levels);
    const reader = this.#bytes;
    while (reader.at < stop) {
      const tag = reader.varint(stop);
      if (tag === KEY) list.push(this.#value(undefined, reader.endOfContent(stop), levels));
      else reader.skip(tag, stop, levels);
    }
    return list;
  }

  #time(field: FieldPlan, before: string | undefined, stop: number): string {
    const reader = this.#bytes;
    let [seconds, nanos] = before === undefined ? EPOCH : timeOf(before);
    while (reader.at < stop) {
      const tag = reader.varint(stop);
      if (tag === SECONDS) seconds = Number(reader.signed(stop));
      else if (tag === NANOS) nanos = reader.integer(stop);
      else reader.skip(tag, stop, 1);
    }
    const text = timeText(seconds, nanos);
    if (text === undefined)
      throw invalidParams({ field: field.name, description: 'must be a time up to the year 9999' });
    return text;
  }

  #object(json: Members, name: string, levels: number): Members {
    let object = json[name] as Members | undefined;
    if (!object) {
      this.#count(levels - 1);
      object = {};
      json[name] = object;
    }
    return object;
  }

  /** Counts an object or an array, and refuses one that is too much or nested too deep. */
  #count(levels: number): void {
    this.#tally();
    if (levels > 0) return;
    const { depth } = this.#limits;
    throw invalidParams({ field: 'body', description: `must not be nested deeper than ${depth} levels` });
  }

  /** Counts a text, a name, an object or an array: each costs far more than its few bytes. */
  #tally(): void {
    this.#values += 1;
    const { values } = this.#limits;
    if (this.#values <= values) return;
    const message = `The message has more than the ${values} texts, names, objects and arrays that are allowed`;
    throw new A2AError('PAYLOAD_TOO_LARGE', message, { metadata: { limit: 'values' } });
  }
}

/** The largest number that a field can have. */
const LARGEST_NUMBER = 0x1fff_ffff;

/** The parts of an entry of a map, and what `Struct` and `ListValue` hold. */
const KEY = (1 << 3) | WIRE.LENGTH;
const VALUE = (2 << 3) | WIRE.LENGTH;

const NULL_VALUE = (1 << 3) | WIRE.VARINT;
const NUMBER_VALUE = (2 << 3) | WIRE.FIXED_64;
const STRING_VALUE = (3 << 3) | WIRE.LENGTH;
const BOOL_VALUE = (4 << 3) | WIRE.VARINT;
const STRUCT_VALUE = (5 << 3) | WIRE.LENGTH;
const LIST_VALUE = (6 << 3) | WIRE.LENGTH;

const SECONDS = (1 << 3) | WIRE.VARINT;
const NANOS = (2 << 3) | WIRE.VARINT;

/** Makes a member as `JSON.parse` does: `__proto__` is a name like any other. */
function put(object: Members, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
