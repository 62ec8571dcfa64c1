import type { Random } from '../random.ts';

/** A call as it goes out: the path, the metadata, and the bytes of the body with all that frames them. */
export interface FuzzedCall {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Change = (bytes: Buffer, random: Random) => Buffer;

const at = (bytes: Buffer, random: Random) => random.below(bytes.length + 1);
const noise = (length: number, random: Random) => Buffer.from(Array.from({ length }, () => random.below(256)));
const spliced = (bytes: Buffer, start: number, end: number, more: Uint8Array) =>
  Buffer.concat([bytes.subarray(0, start), more, bytes.subarray(end)]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}

const field = (number: number, wireType: number, content: Uint8Array) =>
  Buffer.concat([varint(number * 8 + wireType), content]);
const withLength = (content: Uint8Array) => Buffer.concat([varint(content.length), content]);

/** A field that holds itself so often. */
function nested(number: number, levels: number): Buffer {
  let content: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels && content.length < 60_000; level += 1) {
    content = field(number, 2, withLength(content));
  }
  return content;
}

/** Changes of a message: what stands in it, not what is around it. */
const IN_MESSAGE: readonly Change[] = [
  // A bit is turned.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    const place = random.below(Math.max(copy.length, 1));
    if (place < copy.length) copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  (bytes, random) => spliced(bytes, at(bytes, random), bytes.length, noise(random.below(20), random)),
  // Bytes come in, or fall out.
  (bytes, random) => {
    const place = at(bytes, random);
    return spliced(bytes, place, place, noise(1 + random.below(8), random));
  },
  (bytes, random) => {
    const place = at(bytes, random);
    return spliced(bytes, place, Math.min(bytes.length, place + 1 + random.below(8)), Buffer.alloc(0));
  },
  // A part of it stands there twice.
  (bytes, random) => {
    const start = at(bytes, random);
    const piece = bytes.subarray(start, start + random.below(64));
    const place = at(bytes, random);
    return spliced(bytes, place, place, piece);
  },
  (_, random) => noise(random.below(200), random),
  // A tag gets another wire type, those of groups among them.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[0] = ((copy[0] ?? 0) & 0xf8) | random.below(8);
    return copy;
  },
  // Unknown fields of every type.
  (bytes, random) => {
    const number = random.pick([19, 100, 15_000, 2 ** 29 - 1]);
    const wireType = random.below(8);
    const content = wireType === 2 ? withLength(noise(random.below(30), random)) : noise(1 + random.below(9), random);
    return Buffer.concat([bytes, field(number, wireType, content)]);
  },
  // Texts that are not UTF-8, in any field.
  (bytes, random) => {
    const odd = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]);
    return Buffer.concat([bytes, field(1 + random.below(12), 2, withLength(Buffer.from(odd)))]);
  },
  // What is nested too deep, and lengths that lie.
  (bytes, random) => Buffer.concat([bytes, nested(1 + random.below(8), random.pick([50, 100, 1000, 5000]))]),
  (bytes, random) =>
    Buffer.concat([bytes, field(1 + random.below(8), 2, varint(random.pick([2 ** 31 - 1, 2 ** 32, 2 ** 50, 10_000])))]),
  // Numbers that are longer than numbers are.
  (bytes, random) => Buffer.concat([bytes, field(1 + random.below(8), 0, Buffer.alloc(1 + random.below(14), 0xff))]),
];

function framed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** Changes of what is around a message. */
const AROUND: readonly ((message: Buffer, random: Random) => Buffer)[] = [
  (message, random) => framed(message, random.below(256)),
  (message, random) => framed(message, 0, message.length + 1 + random.below(1000)),
  (message, random) => framed(message, 0, random.below(message.length + 1)),
  (message, random) => framed(message, 0, random.pick([0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 20_000_000])),
  (message) => Buffer.concat([framed(message), framed(message)]),
  (message, random) => Buffer.concat([framed(message), noise(1 + random.below(10), random)]),
  () => Buffer.alloc(0),
  (message, random) => framed(message).subarray(0, random.below(5)),
];

const METADATA: readonly Readonly<Record<string, string>>[] = [
  { 'a2a-version': '9.9' },
  { 'a2a-version': 'latest' },
  { 'a2a-extensions': 'urn:parley:ext:resume:v1, urn:x, ,' },
  { 'a2a-last-event-id': '-1' },
  { 'a2a-last-event-id': '99999999999999999999' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'grpc-timeout': 'soon' },
  { 'grpc-timeout': '5S' },
  { 'grpc-encoding': 'gzip' },
  { 'grpc-encoding': 'nothing' },
  { 'parley-agent': '../x' },
  { authorization: 'Bearer x' },
  { traceparent: '00-zz' },
  { 'x-parley-files': 'thrice' },
];

/** Changes a right call in one to three places. */
export function mutateCall(path: string, bytes: Uint8Array, random: Random): FuzzedCall {
  let message: Buffer = Buffer.from(bytes);
  for (let count = random.below(4); count > 0; count -= 1) message = random.pick(IN_MESSAGE)(message, random);
  const body = random.below(5) === 0 ? random.pick(AROUND)(message, random) : framed(message);
  return { path, metadata: random.below(4) === 0 ? random.pick(METADATA) : {}, body };
}
