import type { ByteWriter } from './byte-writer.ts';

const SECONDS = 1 << 3;
const NANOS = 2 << 3;

/** The seconds of a `google.protobuf.Timestamp` that its type allows: from the year 1 to 9999. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

const FRACTION = /\.(\d{1,9})\d*(?=Z|[+-]\d\d:?\d\d$|$)/;

/** Writes a time as `google.protobuf.Timestamp`, to the nanosecond. A text that is no time leaves it empty: the year 1970. */
export function writeTime(writer: ByteWriter, text: string): void {
  const [seconds, nanos] = timeOf(text);
  if (seconds !== 0) {
    writer.varint(SECONDS);
    writer.integer(seconds);
  }
  if (nanos !== 0) {
    writer.varint(NANOS);
    writer.integer(nanos);
  }
}

/** The seconds and nanoseconds of the year 1970. */
export const EPOCH: readonly [number, number] = [0, 0];

/** The seconds since 1970 and the nanoseconds of a text; those of 1970 for one that is no time. */
export function timeOf(text: string): readonly [seconds: number, nanos: number] {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return EPOCH;
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, isUsual(text) ? (milliseconds - seconds * 1000) * 1e6 : nanosOf(text)];
}

/** As `Date` writes it: 2026-01-31T12:00:00.000Z. */
function isUsual(text: string): boolean {
  return text.length === 24 && text.charCodeAt(19) === DOT && text.charCodeAt(23) === LETTER_Z;
}

const DOT = 0x2e;
const LETTER_Z = 0x5a;

function nanosOf(text: string): number {
  return Number((FRACTION.exec(text)?.[1] ?? '').padEnd(9, '0'));
}

/** The text of a time, in UTC; undefined for what no timestamp may be. Digits beyond milliseconds are kept where there are any. */
export function timeText(seconds: number, nanos: number): string | undefined {
  const milliseconds = seconds * 1000;
  if (!(milliseconds >= EARLIEST && milliseconds <= LATEST && nanos >= 0 && nanos < 1e9)) return undefined;
  const text = new Date(milliseconds + Math.floor(nanos / 1e6)).toISOString();
  const rest = nanos % 1e6;
  if (rest === 0) return text;
  const digits = rest % 1000 === 0 ? String(rest / 1000).padStart(3, '0') : String(rest).padStart(6, '0');
  return `${text.slice(0, -1)}${digits}Z`;
}
