import { deepStrictEqual } from 'node:assert/strict';
import { type DescMessage, fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../src/bindings/grpc/codec/read.ts';
import { writeFrames, writeMessage } from '../../src/bindings/grpc/codec/write.ts';
import { PartSchema, TaskStatusSchema } from '../../src/bindings/grpc/gen/a2a/v1/a2a_pb.ts';
import { GRPC_SERVICES } from '../../src/bindings/grpc/services.ts';
import { isA2AError } from '../../src/model/errors/errors.ts';
import { countOf } from '../support/full.ts';
import { arbitraryMessage } from './support/arbitrary-messages.ts';

/** All messages of requests and responses, with what they hold. */
const MESSAGES: readonly DescMessage[] = Object.values(GRPC_SERVICES).flatMap(({ descriptor }) => [
  ...new Set(descriptor.methods.flatMap(({ input, output }) => [input, output])),
]);
const NAMED = MESSAGES.map((message) => [message.typeName, message] as const);

/** A message as the library of Buf understands it: the judge of what ours writes and reads. */
function judged(message: DescMessage, json: unknown): unknown {
  return toJson(message, fromJson(message, json as JsonValue));
}

const RUNS = { numRuns: countOf(12, 300) };
const HOSTILE_RUNS = { numRuns: countOf(300, 20_000) };

describe('messages on the wire', () => {
  it.each(NAMED)('%s is written as another library reads it', (_, message) => {
    fc.assert(
      fc.property(arbitraryMessage(message), (json) => {
        const theirs = toJson(message, fromBinary(message, writeMessage(message, json)));
        deepStrictEqual(theirs, judged(message, json));
      }),
      RUNS,
    );
  });

  it.each(NAMED)('%s is read as another library writes it', (_, message) => {
    fc.assert(
      fc.property(arbitraryMessage(message), (json) => {
        const bytes = toBinary(message, fromJson(message, json as JsonValue));
        deepStrictEqual(judged(message, readMessage(message, bytes)), judged(message, json));
      }),
      RUNS,
    );
  });

  it.each(NAMED)('%s: bytes that were changed are refused or read, and nothing else happens', (_, message) => {
    const changed = fc
      .tuple(arbitraryMessage(message), fc.nat(), fc.nat(255), fc.nat())
      .map(([json, at, byte, cut]) => {
        const bytes = writeMessage(message, json);
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return cut % 2 === 0 ? bytes : bytes.subarray(0, cut % (bytes.length + 1));
      });
    fc.assert(
      fc.property(changed, (bytes) => isReadOrRefused(message, bytes)),
      RUNS,
    );
  });

  it('random bytes are refused or read, and nothing else happens', () => {
    const any = fc.tuple(fc.constantFrom(...MESSAGES), fc.uint8Array({ maxLength: 200 }));
    fc.assert(
      fc.property(any, ([message, bytes]) => isReadOrRefused(message, bytes)),
      HOSTILE_RUNS,
    );
  });

  it('what follows each other merges as in other libraries', () => {
    const message = messageNamed('SendMessageRequest');
    fc.assert(
      fc.property(arbitraryMessage(message, 2), arbitraryMessage(message, 2), (one, two) => {
        const bytes = Buffer.concat([writeMessage(message, one), writeMessage(message, two)]);
        deepStrictEqual(judged(message, readMessage(message, bytes)), toJson(message, fromBinary(message, bytes)));
      }),
      RUNS,
    );
  });

  it.each<[string, DescMessage, object, Iterable<number>]>([
    [
      'a time',
      TaskStatusSchema,
      { timestamp: '2026-01-31T12:00:00Z' },
      [0x1a, 0x06, 0x10, 0x80, 0xca, 0xb5, 0xee, 0x01],
    ],
    ['objects of a part', PartSchema, { data: { a: 1 } }, writeMessage(PartSchema, { data: { b: 2, a: 3 } })],
    ['lists of a part', PartSchema, { data: [1] }, writeMessage(PartSchema, { data: [2] })],
    ['a value and an empty one', PartSchema, { data: 'x' }, [0x22, 0x00]],
  ])('%s that comes in two halves is read as one', (_, message, json, more) => {
    const bytes = Buffer.concat([writeMessage(message, json), Uint8Array.from(more)]);
    deepStrictEqual(judged(message, readMessage(message, bytes)), toJson(message, fromBinary(message, bytes)));
  });

  it.each([Number.POSITIVE_INFINITY, Number.NaN, 1.5, 2 ** 31, -(2 ** 31) - 1])('%s is no int32', (historyLength) => {
    const message = messageNamed('GetTaskRequest');
    expect(() => writeMessage(message, { id: 't-1', historyLength })).toThrow(/historyLength must be a whole number/);
    expect(readMessage(message, writeMessage(message, { id: 't-1' }))).toEqual({ id: 't-1' });
  });

  it('several messages of gRPC stand one after the other, each with its length', () => {
    const message = messageNamed('Task');
    const frames = Buffer.from(writeFrames(message, [{ id: 't-1' }, { id: 'täsk' }]));
    expect(frames[0]).toBe(0);
    const length = frames.readUInt32BE(1);
    expect(readMessage(message, frames.subarray(5, 5 + length))).toEqual({ id: 't-1' });
    expect(readMessage(message, frames.subarray(5 + length + 5))).toEqual({ id: 'täsk' });
  });
});

describe('hostile bytes', () => {
  const request = messageNamed('SendMessageRequest');

  it.each([
    ['a field longer than the message', [0x12, 0x7f, 0x00], /longer than the message/],
    ['a length of 2^63', [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], /longer than the message/],
    ['a number of eleven bytes', [0x08, ...Array<number>(11).fill(0xff)], /another type|ten bytes/],
    ['a number that breaks off', [0x12, 0x80], /breaks off/],
    ['the field 0', [0x02, 0x00], /no number/],
    ['the field 0 in an object', [0x22, 0x04, 0x0a, 0x02, 0x02, 0x00], /no number/],
    ['a wire type that there is not', [0x7e, 0x00], /no type/],
    ['a group that is not ended', [0x7b], /breaks off/],
    ['a message where a number stands', [0x10, 0x01], /another type/],
    ['a text that is not UTF-8', [0x0a, 0x02, 0xc3, 0x28], /SendMessageRequest\.tenant is not valid UTF-8/],
    ['a surrogate in UTF-8', [0x0a, 0x03, 0xed, 0xa0, 0x80], /not valid UTF-8/],
  ])('%s is no message', (_, bytes, message) => {
    expect(() => readMessage(request, Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: 'PARSE_ERROR', message: expect.stringMatching(message) as string }),
    );
  });

  it('unknown fields of every type are passed over', () => {
    const unknown = [0xf8, 0x07, 0x01, 0xf9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8, 0xfa, 0x07, 1, 0, 0xfb, 0x07, 0xfc, 0x07];
    const bytes = Uint8Array.from([...unknown, 0xfd, 0x07, 1, 2, 3, 4, 0x0a, 0x01, 0x61]);
    expect(readMessage(request, bytes)).toEqual({ tenant: 'a' });
  });

  it('what is nested too deep is refused before the stack is full', () => {
    let data: unknown = 1;
    for (let level = 0; level < 1500; level += 1) data = [data];
    const bytes = writeMessage(request, { message: { parts: [{ data }] } });
    expect(() => readMessage(request, bytes)).toThrow(/must not be nested deeper than 100 levels/);
    const groups = Uint8Array.from(Array<number>(20_000).fill(0x7b));
    expect(() => readMessage(request, groups)).toThrow(/nested too deep/);
  });

  it('more values than a body may have are refused', () => {
    const flood = Uint8Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 0x2a : 0x00));
    const limits = { depth: 100, values: 100 };
    expect(() => readMessage(messageNamed('Task'), flood, limits)).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    );
    expect((readMessage(messageNamed('Task'), flood).history as unknown[]).length).toBe(200);
  });

  it('numbers that JSON does not have are refused by their place', () => {
    const bytes = Buffer.from(writeMessage(request, { metadata: { list: [1, 2] } }));
    bytes.writeDoubleLE(Number.NaN, bytes.length - 8);
    expect(() => readMessage(request, bytes)).toThrow(/metadata\.list\[1\] must be a number/);
  });

  it('a name of Object.prototype is a name like any other', () => {
    const metadata = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as object;
    const read = readMessage(request, writeMessage(request, { metadata })).metadata as Record<string, unknown>;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(JSON.stringify(read)).toBe('{"__proto__":{"admin":true},"constructor":1}');
  });
});

function messageNamed(name: string): DescMessage {
  const found = MESSAGES.find(({ typeName }) => typeName === `lf.a2a.v1.${name}`);
  if (!found) throw new TypeError(`There is no message ${name}`);
  return found;
}

function isReadOrRefused(message: DescMessage, bytes: Uint8Array): boolean {
  try {
    readMessage(message, bytes);
    return true;
  } catch (error) {
    return isA2AError(error) && ['PARSE_ERROR', 'INVALID_PARAMS', 'PAYLOAD_TOO_LARGE'].includes(error.code);
  }
}
