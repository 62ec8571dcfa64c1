/** The text of something that a program threw. Anything can be thrown, and much of it throws when it is asked for its text. */
export function textOfThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'Something without a text was thrown';
  }
}
