const RESTART = 'it shows only when a server is stopped or killed, which a caller cannot do';
const INSIDE = 'it happens inside the server and leaves no trace in responses';
const AGENT = 'only what the agent’s code gets or does would show it';

/**
 * Rules that nobody can see from outside of a server, each with the reason. docs/check.md has the same
 * list; a test compares them.
 */
export const UNSEEN: Readonly<Record<string, string>> = {
  'card.sign-vector': 'the test vector is for a card that no server serves',
  'send.output-modes': AGENT,
  'context.reference-ids': AGENT,
  'cancel.on-cancel': AGENT,
  'errors.agent-response': AGENT,
  'send.reply-window': 'it takes an agent that is silent for a while and then replies',
  'send.queued-next-turn': 'it takes an agent that ends its turn with a question while a message is queued',
  'send.timeout': 'the request timeout of a server is longer than the check may wait',
  'idempotency.durable': RESTART,
  'resume.any-node': RESTART,
  'resume.recovery': RESTART,
  'resume.ask-lost': RESTART,
  'resume.steps': RESTART,
  'resume.one-writer': INSIDE,
  'stream.commit-first': INSIDE,
  'stream.slow-reader': 'it takes a stream that is larger than a check may ask for',
  'stream.backpressure': INSIDE,
  'stream.limit': 'it takes a stream that is longer than a check may wait',
  'stream.sse-keep-alive': 'it takes half a minute of silence',
  'errors.profile-100': 'the setting is the operator’s; the default is seen in errors.http-status',
  'push.ssrf-connect': 'it takes a name that resolves to another address later',
  'security.file-urls': 'only the agent fetches what URLs in parts point to',
  'security.logs': 'logs are the operator’s',
};
