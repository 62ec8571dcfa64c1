import type { A2AErrorCode } from '../model/errors/errors.ts';
import type { TaskState } from '../model/states.ts';

/** Exit codes of the process; scripts rely on them. */
export const EXIT = {
  done: 0,
  /** The task failed, was rejected or canceled, or its agent cannot tell; also what fits nowhere else. */
  failed: 1,
  usage: 2,
  unreachable: 3,
  unauthorized: 4,
  waiting: 5,
  /** Left by a second Ctrl-C, as shells have it. */
  interrupted: 130,
  /** Left by a second signal to end. */
  terminated: 143,
} as const;

export function exitCodeOf(state: TaskState): number {
  switch (state) {
    case 'failed':
    case 'rejected':
    case 'canceled':
    case 'unknown':
      return EXIT.failed;
    case 'input-required':
    case 'auth-required':
      return EXIT.waiting;
    case 'submitted':
    case 'working':
    case 'completed':
      return EXIT.done;
  }
}

const UNREACHABLE: ReadonlySet<A2AErrorCode> = new Set<A2AErrorCode>([
  'UNREACHABLE',
  'TIMEOUT',
  'UNAVAILABLE',
  'OVERLOADED',
  'STREAM_INTERRUPTED',
  // Something answers there, but no agent does.
  'NOT_FOUND',
  'INVALID_RESPONSE',
]);

export function exitCodeOfError(code: A2AErrorCode): number {
  if (code === 'UNAUTHENTICATED' || code === 'PERMISSION_DENIED') return EXIT.unauthorized;
  return UNREACHABLE.has(code) ? EXIT.unreachable : EXIT.failed;
}
