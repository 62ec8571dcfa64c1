import { sha256, toBase64Url } from '../../../../model/basics/bytes.ts';

/** 256 random bits in letters that an address can carry. */
export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The challenge by which the program that redeems a code proves that it asked for it (RFC 7636 §4.2, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(await sha256(verifier));
}
