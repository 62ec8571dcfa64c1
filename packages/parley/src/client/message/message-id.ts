const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * A UUIDv7 (RFC 9562) for a message. Clients make few of them, so each takes random bytes of its own; servers have
 * `uuidv7Source`.
 */
export function newMessageId(): string {
  const time = hex(Date.now(), 12);
  const random = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => hex(byte, 2)).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`;
}
