import type { FailureReason } from '../../model/errors/failure-reason.ts';

export type { FailureReason };

const TEXTS: Readonly<Record<FailureReason, string>> = {
  'agent-error': 'The agent failed.',
  'invalid-agent-response': 'The agent gave a result that the protocol does not allow.',
  'run-timeout': 'The run took longer than it may (run-timeout).',
  'inactivity-timeout': 'The run produced nothing for too long (inactivity-timeout).',
  'run-lost': 'The run that asked the question was lost when the server stopped (run-lost).',
  'server-restarted': 'The server stopped while the task was running (server-restarted).',
  'server-stopped': 'The server was shut down while the task was running (server-stopped).',
  'journal-mismatch': 'The agent has changed since the run was interrupted: it no longer does what was recorded.',
  'input-timeout': 'The question was not answered in time (input-timeout).',
  'invalid-answer': 'No answer was given that the agent could use (invalid-answer).',
  'tool-failed': 'A tool of the caller failed or was not declared (tool-failed).',
  'too-many-questions': 'The agent asked more questions at once than it may (too-many-questions).',
  'store-failed': 'What the run produced could not be stored (store-failed).',
};

/** The text for callers. A reference leads operators to the log entry with the cause. */
export function failureText(reason: FailureReason, reference?: string): string {
  return reference ? `${TEXTS[reason]} Reference: ${reference}` : TEXTS[reason];
}
