/** A key of Web Cryptography, in words that every runtime's types have. */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Bytes in a buffer of their own: `Uint8Array<ArrayBuffer>`, which `new Blob([…])` and Web Cryptography ask for, in words of
 * TypeScript 5.6, whose `Uint8Array` is not generic.
 */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Reads base64 of either alphabet, padded or not; undefined for anything else. */
export function fromBase64(text: string): OwnBytes | undefined {
  const content = text.replace(/={1,2}$/, '');
  if (!/^(?:[A-Za-z0-9+/]*|[\w-]*)$/.test(content) || content.length % 4 === 1) return undefined;
  const binary = atob(content.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256 of a text in UTF-8, or of bytes. */
export async function sha256(content: string | Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', ownBytes(content)));
}

/** Copies nothing where the bytes are in an ordinary buffer already. */
export function ownBytes(content: string | Uint8Array): OwnBytes {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content.buffer instanceof ArrayBuffer ? (content as OwnBytes) : new Uint8Array(content);
}
