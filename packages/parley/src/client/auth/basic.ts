import { bytes } from '../../model/parts.ts';

/** `Basic` of RFC 7617, in UTF-8. */
export function basic(username: string, password: string): string {
  return `Basic ${bytes(`${username}:${password}`).bytes}`;
}
