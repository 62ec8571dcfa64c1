const ZERO = /^(?:\p{M}|[\u200b-\u200d\u2060])$/u;

/** Blocks that terminals show in two columns, as first and last code point. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

function widthOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (ZERO.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Counts the columns of a text without control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** As much of the beginning as fits. */
export function headOf(text: string, columns: number): string {
  let head = '';
  let width = 0;
  for (const character of text) {
    width += widthOfCharacter(character);
    if (width > columns) break;
    head += character;
  }
  return head;
}

/** The text, or its beginning with an ellipsis where it is too wide. */
export function truncated(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  return columns < 1 ? '' : `${headOf(text, columns - 1)}…`;
}

/** The text, or its end after an ellipsis. */
export function tailOf(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = Array.from(text);
  let tail = '';
  let width = 1;
  for (let index = characters.length - 1; index >= 0; index -= 1) {
    const character = characters[index] ?? '';
    width += widthOfCharacter(character);
    if (width > columns) break;
    tail = character + tail;
  }
  return columns < 1 ? '' : `…${tail}`;
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
