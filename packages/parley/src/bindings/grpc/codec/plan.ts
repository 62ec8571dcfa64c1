import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';

/** The JSON that a field has. `struct` and `value` are JSON themselves, `time` is a text of ISO 8601, `bytes` one of base64. */
type FieldKind = 'text' | 'bytes' | 'integer' | 'flag' | 'enum' | 'message' | 'struct' | 'value' | 'time';

/** One field of a message: its number, its name in JSON, and how it is written. */
export interface FieldPlan {
  readonly number: number;
  readonly name: string;
  /** Its message and name, for errors: `Part.text`. */
  readonly place: string;
  readonly kind: FieldKind;
  /** A number on the wire; all else has a length. */
  readonly isNumber: boolean;
  /** A message that comes twice is merged; of all else the last one counts. */
  readonly isMerged: boolean;
  readonly shape: 'single' | 'list' | 'map';
  /** Unset and default are different: the field is written wherever its JSON has it. */
  readonly hasPresence: boolean;
  /** The fields of which only one can be set, with this one; undefined for most. */
  readonly rivals: readonly string[] | undefined;
  readonly names: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<string, number>;
  /** The message of the field, or of the values of its map. Made when it is first needed: messages hold each other. */
  readonly message: () => MessagePlan;
}

interface FieldDefault {
  readonly name: string;
  readonly value: unknown;
}

export interface MessagePlan {
  readonly name: string;
  readonly fields: readonly FieldPlan[];
  /** By their numbers, which are small in all messages of A2A. */
  readonly byNumber: readonly (FieldPlan | undefined)[];
  /** Fields that the JSON of a received message always has, with their defaults: an enum is never left out of what is no request. */
  readonly always: readonly FieldDefault[];
}

const PLANS = new Map<DescMessage, MessagePlan>();

const WELL_KNOWN: ReadonlyMap<string, FieldKind> = new Map([
  ['google.protobuf.Struct', 'struct'],
  ['google.protobuf.Value', 'value'],
  ['google.protobuf.Timestamp', 'time'],
]);

const SCALARS: ReadonlyMap<ScalarType, FieldKind> = new Map([
  [ScalarType.STRING, 'text'],
  [ScalarType.BYTES, 'bytes'],
  [ScalarType.INT32, 'integer'],
  [ScalarType.BOOL, 'flag'],
]);

/** Returns how a message is written and read. Throws for a message with a field of a kind that A2A does not use. */
export function planOf(message: DescMessage): MessagePlan {
  const known = PLANS.get(message);
  if (known) return known;
  const fields = message.fields.map(fieldPlanOf);
  const plan: MessagePlan = {
    name: message.typeName,
    fields,
    byNumber: numbered(fields),
    always: alwaysIn(message),
  };
  PLANS.set(message, plan);
  return plan;
}

function numbered(fields: readonly FieldPlan[]): readonly (FieldPlan | undefined)[] {
  const largest = Math.max(0, ...fields.map(({ number }) => number));
  return Array.from({ length: largest + 1 }, (_, number) => fields.find((field) => field.number === number));
}

function fieldPlanOf(field: DescField): FieldPlan {
  const { name, oneof } = field;
  const enumeration = field.fieldKind === 'enum' ? field.enum : undefined;
  const kind = kindOf(field);
  return {
    number: field.number,
    name: field.jsonName,
    place: `${field.parent.name}.${field.jsonName}`,
    kind,
    isNumber: kind === 'integer' || kind === 'flag' || kind === 'enum',
    isMerged: kind === 'message' || kind === 'struct' || kind === 'value' || kind === 'time',
    shape: field.fieldKind === 'list' ? 'list' : field.fieldKind === 'map' ? 'map' : 'single',
    hasPresence: field.presence !== IMPLICIT,
    rivals: oneof?.fields.filter((other) => other.name !== name).map(({ jsonName }) => jsonName),
    names: new Map(enumeration?.values.map((value) => [value.number, value.name])),
    numbers: new Map(enumeration?.values.map((value) => [value.name, value.number])),
    message: once(() => planOf(messageOf(field))),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `FeatureSet.FieldPresence`. */
const IMPLICIT = 2;

function kindOf(field: DescField): FieldKind {
  if (field.fieldKind === 'enum') return 'enum';
  const message = 'message' in field ? field.message : undefined;
  const kind = message ? (WELL_KNOWN.get(message.typeName) ?? 'message') : scalarKindOf(field);
  const isPlain = field.fieldKind === 'scalar' || field.fieldKind === 'message';
  if (kind === undefined || !(isPlain || kind === 'text' || kind === 'message')) {
    throw new TypeError(`${field.toString()} has a type that no message of A2A uses`);
  }
  return kind;
}

function scalarKindOf(field: DescField): FieldKind | undefined {
  const scalar = 'scalar' in field ? field.scalar : undefined;
  if (field.fieldKind === 'map' && field.mapKey !== ScalarType.STRING) return undefined;
  return scalar === undefined ? undefined : SCALARS.get(scalar);
}

function messageOf(field: DescField): DescMessage {
  const message = 'message' in field ? field.message : undefined;
  if (!message) throw new TypeError(`${field.toString()} holds no message`);
  return message;
}

function alwaysIn({ typeName, fields }: DescMessage): MessagePlan['always'] {
  if (typeName.endsWith('Request')) return [];
  if (typeName.endsWith('.ListTasksResponse')) return PAGE_DEFAULTS;
  return fields.flatMap((field) =>
    field.fieldKind === 'enum' ? [{ name: field.jsonName, value: zeroOf(field.enum) }] : [],
  );
}

/** All four members of a page of tasks are always there (reference: v1-operations §7). */
const PAGE_DEFAULTS: MessagePlan['always'] = [
  { name: 'tasks', value: [] },
  { name: 'nextPageToken', value: '' },
  { name: 'pageSize', value: 0 },
  { name: 'totalSize', value: 0 },
];

function zeroOf({ values }: DescEnum): string | undefined {
  return values.find(({ number }) => number === 0)?.name;
}
