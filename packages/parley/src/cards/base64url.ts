import { type OwnBytes, toBase64Url } from '../model/basics/bytes.ts';

export function encodeTextBase64url(text: string): string {
  return toBase64Url(new TextEncoder().encode(text));
}

/** Undefined for what is not base64url without padding. */
export function decodeBase64url(text: string): OwnBytes | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}
