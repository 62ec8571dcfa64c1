import type { DescMessage } from '@bufbuild/protobuf';
import { isPlainObject } from '../../../model/basics/json.ts';
import { invalidParams } from '../../../model/errors/errors.ts';
import { ByteWriter } from './byte-writer.ts';
import { type FieldPlan, type MessagePlan, planOf } from './plan.ts';
import { writeTime } from './time.ts';

/** Wire types: a number, eight bytes, or a length and so many bytes. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;

const WRITER = new ByteWriter();

/** Writes the ProtoJSON of a message, as dialects make it, in the wire format. Members that the message does not have are left out. */
export function writeMessage(message: DescMessage, json: unknown): Uint8Array {
  WRITER.begin();
  writeFields(planOf(message), json);
  return WRITER.finish();
}

/** The same as one message of gRPC: a flag and the length before it (reference: v1-bindings §7). It is not for keeping: its memory is shared. */
export function writeFrame(message: DescMessage, json: unknown): Uint8Array {
  WRITER.begin();
  const start = WRITER.openFrame(0);
  writeFields(planOf(message), json);
  WRITER.closeFrame(start);
  return WRITER.take();
}

/** Writes several of them, one after the other. */
export function writeFrames(message: DescMessage, jsons: readonly unknown[]): Uint8Array {
  const plan = planOf(message);
  WRITER.begin();
  for (const json of jsons) {
    const start = WRITER.openFrame(0);
    writeFields(plan, json);
    WRITER.closeFrame(start);
  }
  return WRITER.finish();
}

function writeFields({ fields }: MessagePlan, json: unknown): void {
  if (!isPlainObject(json)) return;
  for (const field of fields) {
    const value = json[field.name];
    if (value === undefined || (value === null && field.kind !== 'value')) continue;
    if (field.shape === 'single') writeSingle(field, value);
    else if (field.shape === 'list') writeList(field, value);
    else writeMap(field, value);
  }
}

function writeList(field: FieldPlan, value: unknown): void {
  if (!Array.isArray(value)) return;
  for (const item of value) {
    WRITER.varint((field.number << 3) | LENGTH);
    writeContent(field, item);
  }
}

function writeMap(field: FieldPlan, value: unknown): void {
  if (!isPlainObject(value)) return;
  for (const name of Object.keys(value)) {
    WRITER.varint((field.number << 3) | LENGTH);
    const entry = WRITER.open();
    WRITER.varint(KEY);
    WRITER.text(name);
    WRITER.varint(VALUE);
    writeContent(field, value[name]);
    WRITER.close(entry);
  }
}

/** The fields of an entry of a map. */
const KEY = (1 << 3) | LENGTH;
const VALUE = (2 << 3) | LENGTH;

function writeSingle(field: FieldPlan, value: unknown): void {
  const { number, hasPresence } = field;
  if (field.isNumber) {
    const numeric = numberOf(field, value);
    // A wider value would arrive as another number, and infinity would never end.
    if ((numeric | 0) !== numeric) {
      throw invalidParams({ field: field.name, description: 'must be a whole number of 32 bits' });
    }
    if (numeric === 0 && !hasPresence) return;
    WRITER.varint((number << 3) | VARINT);
    WRITER.integer(numeric);
    return;
  }
  if (value === '' && !hasPresence) return;
  WRITER.varint((number << 3) | LENGTH);
  writeContent(field, value);
}

/** A name that an enum does not have becomes what is not specified. */
function numberOf({ kind, numbers }: FieldPlan, value: unknown): number {
  if (kind === 'flag') return value === true ? 1 : 0;
  if (typeof value === 'number') return value;
  return kind === 'enum' ? (numbers.get(String(value)) ?? 0) : Number(value);
}

/** Writes what has a length before it. */
function writeContent(field: FieldPlan, value: unknown): void {
  const { kind } = field;
  if (kind === 'text') {
    WRITER.text(String(value));
    return;
  }
  if (kind === 'bytes') {
    WRITER.base64(String(value));
    return;
  }
  const start = WRITER.open();
  if (kind === 'struct') writeStruct(value);
  else if (kind === 'value') writeValue(value);
  else if (kind === 'time') writeTime(WRITER, String(value));
  else writeFields(field.message(), value);
  WRITER.close(start);
}

/** `Struct.fields` and `ListValue.values`. */
const ENTRIES = (1 << 3) | LENGTH;

function writeStruct(value: unknown): void {
  if (!isPlainObject(value)) return;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    WRITER.varint(ENTRIES);
    const entry = WRITER.open();
    WRITER.varint(KEY);
    WRITER.text(name);
    WRITER.varint(VALUE);
    const start = WRITER.open();
    writeValue(member);
    WRITER.close(start);
    WRITER.close(entry);
  }
}

const NULL_VALUE = (1 << 3) | VARINT;
const NUMBER_VALUE = (2 << 3) | FIXED_64;
const STRING_VALUE = (3 << 3) | LENGTH;
const BOOL_VALUE = (4 << 3) | VARINT;
const STRUCT_VALUE = (5 << 3) | LENGTH;
const LIST_VALUE = (6 << 3) | LENGTH;

/** Writes any JSON as a `google.protobuf.Value`; what is no JSON is null, as `JSON.stringify` has it. */
function writeValue(value: unknown): void {
  if (typeof value === 'string') {
    WRITER.varint(STRING_VALUE);
    WRITER.text(value);
  } else if (typeof value === 'number' && Number.isFinite(value)) {
    WRITER.varint(NUMBER_VALUE);
    WRITER.double(value);
  } else if (typeof value === 'boolean') {
    WRITER.varint(BOOL_VALUE);
    WRITER.varint(value ? 1 : 0);
  } else if (typeof value === 'object' && value !== null) {
    writeTree(value);
  } else {
    WRITER.varint(NULL_VALUE);
    WRITER.varint(0);
  }
}

function writeTree(value: object): void {
  WRITER.varint(Array.isArray(value) ? LIST_VALUE : STRUCT_VALUE);
  const start = WRITER.open();
  if (Array.isArray(value)) {
    for (const item of value) {
      WRITER.varint(ENTRIES);
      const place = WRITER.open();
      writeValue(item);
      WRITER.close(place);
    }
  } else {
    writeStruct(value);
  }
  WRITER.close(start);
}
