import { isA2AError } from '../../../model/errors/errors.ts';
import { ByteReader, WIRE } from './byte-reader.ts';

/** Returns a text among the fields of a message without reading the others; '' without one, or no message. */
export function peekText(bytes: Uint8Array, number: number): string {
  const reader = new ByteReader(bytes);
  let found = '';
  try {
    while (reader.at < reader.length) {
      const tag = reader.varint(reader.length);
      if (tag === number * 8 + WIRE.LENGTH) found = reader.text(reader.length, 'a text');
      else reader.skip(tag, reader.length, 1);
    }
    return found;
  } catch (error) {
    if (isA2AError(error)) return '';
    throw error;
  }
}
