/** A word as a shell takes it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command to paste. */
export function commandLine(program: string, ...words: readonly string[]): string {
  return [program, ...words.map(quoted)].join(' ');
}
