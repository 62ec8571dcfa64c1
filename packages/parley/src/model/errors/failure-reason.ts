/** Why the engine itself ended a task as failed; it stands in the status message's metadata as `reason`. */
export type FailureReason =
  | 'agent-error'
  | 'invalid-agent-response'
  | 'run-timeout'
  | 'inactivity-timeout'
  | 'run-lost'
  | 'server-restarted'
  | 'server-stopped'
  | 'journal-mismatch'
  | 'input-timeout'
  | 'invalid-answer'
  | 'tool-failed'
  | 'too-many-questions'
  | 'store-failed';
