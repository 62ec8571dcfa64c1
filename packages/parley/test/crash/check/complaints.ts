/** A line that a server wrote for its operator. */
interface Complaint {
  readonly message: string;
  /** What lies under it all. */
  readonly cause: string;
}

/** For `log` of a server whose errors are read by a test: one line each. */
export function writeComplaint(message: string, details: Readonly<Record<string, unknown>> = {}): void {
  let cause = details.error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  console.error(JSON.stringify({ message, cause: String(cause) } satisfies Complaint));
}

const TROUBLE = new Set([
  'The store refused a commit; trying again',
  'The store could not be written',
  'A task could not be recovered',
  'The upkeep of the task store failed',
  'Logs of tasks could not be folded',
]);
const CAUSES = /database or disk is full|disk I\/O error|readonly database|no longer held/;

/** The line of a server that would not start; whoever started it looks at it. */
const REFUSAL = / cannot be written: .*\.$/;

/** What a server wrote beside what one must expect of a disk that cannot be written. */
export function unexpectedIn(complaints: string): string[] {
  return linesOf(complaints).filter((line) => {
    if (!line.startsWith('{')) return !REFUSAL.test(line);
    const { message, cause }: Complaint = JSON.parse(line);
    return !TROUBLE.has(message) || !CAUSES.test(cause);
  });
}

/** How often a commit did not succeed. */
export function refusedCommitsIn(complaints: string): number {
  return linesOf(complaints).filter((line) => line.includes('The store refused a commit')).length;
}

function linesOf(complaints: string): string[] {
  // The last line may be cut off by a kill.
  return complaints.split('\n').slice(0, -1);
}
