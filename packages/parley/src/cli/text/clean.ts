/**
 * Characters of a remote agent that must not reach a terminal: escape sequences could move the cursor, retitle the
 * window or write to the clipboard, and bidirectional overrides disguise the text. Visible signs take their place.
 */
const UNSAFE = /[[\p{Cc}--[\n\t]]\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gv;

const ESCAPE = '\u001b';
/** The sequences of `styleOf`, and those that look alike and begin with another control character. */
const STYLES = /(\p{Cc}\[[\d;]*m)/u;

const DELETE = 0x7f;
const CONTROL_PICTURES = 0x2400;
const PICTURE_OF_DELETE = '\u2421';
const REPLACEMENT = '\ufffd';

/** Text that a terminal may get: of the control characters only tabs and line feeds are left. */
export function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, picture);
}

/**
 * The same for a text that has been put into styles: those are left. Whatever is written to a terminal goes through it;
 * what an agent says is cleaned before, so that it has no styles of its own.
 */
export function cleanStyled(text: string): string {
  return text.split(STYLES).map(cleanUnlessStyle).join('');
}

function cleanUnlessStyle(piece: string, index: number): string {
  return index % 2 === 1 && piece.startsWith(ESCAPE) ? piece : clean(piece);
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  return code === DELETE ? PICTURE_OF_DELETE : REPLACEMENT;
}

/** A value as JSON on one line. What a terminal must not get is escaped, so that programs read the same value. */
export function safeJson(value: unknown): string {
  return escapedControls(JSON.stringify(value));
}

/** A text in which what a terminal must not get is written as JavaScript, JSON and shells write it. */
export function escapedControls(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
