import { isPlainObject } from '../../../../model/basics/json.ts';
import { RESUME_EXTENSION } from '../../../../model/card.ts';

type Members = Record<string, unknown>;

/**
 * Takes the position out of an event that was just read, so that it says what it says over other bindings. Servers put it into
 * the metadata, under our extension.
 */
export function takePosition(event: unknown): string | undefined {
  if (!isPlainObject(event)) return undefined;
  for (const name in event) {
    const holder = event[name];
    if (isPlainObject(holder)) return takeFrom(holder as Members);
  }
  return undefined;
}

function takeFrom(holder: Members): string | undefined {
  const { metadata } = holder;
  if (!isPlainObject(metadata)) return undefined;
  const note = metadata[RESUME_EXTENSION];
  if (!isPlainObject(note)) return undefined;
  const { seq, ...rest } = note;
  if (typeof seq !== 'number' && typeof seq !== 'string') return undefined;
  const { [RESUME_EXTENSION]: _, ...others } = metadata;
  const left: Members = Object.keys(rest).length > 0 ? { ...others, [RESUME_EXTENSION]: rest } : others;
  if (Object.keys(left).length > 0) holder.metadata = left;
  else delete holder.metadata;
  return String(seq);
}
