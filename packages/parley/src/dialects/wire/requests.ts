import { DEFAULT_INPUT_LIMITS } from '../../model/input-limits.ts';
import type { DecodeRequest } from '../dialect.ts';
import { BoundedMembers } from './bounded-members.ts';
import { decode, type Read } from './members.ts';

/** Makes a reader of whole requests: every text and list in them has a bound. */
export function decoderOf<Input>(read: Read<Input>): DecodeRequest<Input> {
  return (params, limits = DEFAULT_INPUT_LIMITS) =>
    decode(params, read, 'params', (record, violations, rootName) => {
      return new BoundedMembers(record, violations, undefined, rootName, undefined, limits);
    });
}
