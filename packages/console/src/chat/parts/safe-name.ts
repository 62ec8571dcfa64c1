/** The longest name that is shown and offered for saving. */
const LONGEST_NAME = 120;

/** A file's name without what could mislead: paths, control characters, and those that turn the direction of writing. */
export function safeFileName(name: string | undefined, fallback = 'file'): string {
  const plain = (name ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replaceAll(/[\\/:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  if (plain === '') return fallback;
  if (plain.length <= LONGEST_NAME) return plain;
  const dot = plain.lastIndexOf('.');
  const ending = dot > plain.length - 12 ? plain.slice(dot) : '';
  return `${plain.slice(0, LONGEST_NAME - ending.length)}${ending}`;
}
