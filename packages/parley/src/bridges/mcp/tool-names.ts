import { fingerprintOf } from '../../model/basics/fingerprint.ts';

/** Language models take letters, digits, `_` and `-`, and a bounded number of them. */
const LONGEST = 64;
const MARK_LENGTH = 8;

/** A text as the name of a tool. One that is too long keeps its beginning and gets a mark that tells it from others. */
export function legalName(text: string, fallback: string): string {
  const name = text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '') || fallback;
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - MARK_LENGTH - 1)}_${markOf(text)}`;
}

/** A short text that stands for a longer one. */
export function markOf(text: string): string {
  return fingerprintOf(text).slice(0, MARK_LENGTH);
}

/** The name itself, or with a number behind it where it is taken. It is taken afterwards. */
export function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    const end = `_${number}`;
    free = `${name.slice(0, LONGEST - end.length)}${end}`;
  }
  taken.add(free);
  return free;
}
