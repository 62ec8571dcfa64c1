import {
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { A2AService as ServiceV1_0 } from '../../../bindings/grpc/gen/a2a/v1/a2a_pb.ts';
import { A2AService as ServiceV0_3 } from '../../../bindings/grpc/gen/a2a_v03_pb.ts';
import { skip } from '../../verdict.ts';
import { isObject } from '../../wire/json.ts';

/** One procedure of a service, with its messages. */
export interface Procedure {
  readonly request: DescMessage;
  readonly response: DescMessage;
}

const PROCEDURES: ReadonlyMap<string, Procedure> = new Map(
  [ServiceV1_0, ServiceV0_3].flatMap(({ typeName, methods }) =>
    methods.map(({ name, input, output }) => [`/${typeName}/${name}`, { request: input, response: output }] as const),
  ),
);

/** The procedure at a path; undefined for one that the protocol does not have. */
export function procedureAt(path: string): Procedure | undefined {
  return PROCEDURES.get(path);
}

/** The bytes of a request. Skips the rule where gRPC has no way to say it, such as a text for a number. */
export function requestBytes(procedure: Procedure | undefined, body: string): Buffer {
  if (!procedure) return Buffer.alloc(0);
  const { request } = procedure;
  try {
    const json = withOddEnums(request, JSON.parse(body));
    return Buffer.from(toBinary(request, fromJson(request, json, { ignoreUnknownFields: true })));
  } catch {
    return skip('gRPC has no way to send such a request');
  }
}

/** The JSON of a response. Throws where the bytes are no such message. */
export function responseJson(procedure: Procedure | undefined, bytes: Uint8Array): JsonValue {
  if (!procedure) return {};
  const { response } = procedure;
  const json = toJson(response, fromBinary(response, bytes));
  // Members absent from the wire have their defaults: a page always has all four.
  return response.name === 'ListTasksResponse' ? { ...PAGE, ...(json as JsonObject) } : json;
}

const PAGE: JsonObject = { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 };

/** A number that no enum of the protocol has: it stands for a name that it does not have. */
const ODD_ENUM = 99;

function withOddEnums(message: DescMessage, json: unknown): JsonValue {
  if (!isObject(json)) return json as JsonValue;
  const fields = new Map(message.fields.flatMap((field) => [field.jsonName, field.name].map((name) => [name, field])));
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field ? withOddEnum(field, value) : (value as JsonValue)];
    }),
  );
}

function withOddEnum(field: DescField, value: unknown): JsonValue {
  if (field.fieldKind === 'enum' && typeof value === 'string') {
    return field.enum.values.some(({ name }) => name === value) ? value : ODD_ENUM;
  }
  const isNested = field.fieldKind === 'message' || (field.fieldKind === 'list' && field.listKind === 'message');
  const inner = isNested ? field.message : undefined;
  if (!inner || inner.typeName.startsWith('google.')) return value as JsonValue;
  return Array.isArray(value) ? value.map((item) => withOddEnums(inner, item)) : withOddEnums(inner, value);
}
