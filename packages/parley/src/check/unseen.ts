const RESTART = 'it needs a stop or crash of the server, which a caller cannot cause';
const INSIDE = 'it happens inside the server and leaves no trace in responses';
const AGENT = 'only the code of the agent can see it';

/**
 * Rules that no check from outside can see, each with the reason. docs/check.md has the same
 * list; a test compares them.
 */
export const UNSEEN: Readonly<Record<string, string>> = {
  'card.sign-vector': 'the test vector is for a card that no server serves',
  'send.output-modes': AGENT,
  'context.reference-ids': AGENT,
  'cancel.on-cancel': AGENT,
  'errors.agent-response': AGENT,
  'send.reply-window': 'it needs an agent that is silent for a while and then replies',
  'send.queued-next-turn': 'it needs an agent that ends its turn with a question while a message is queued',
  'send.timeout': 'the request timeout of a server is longer than the check may wait',
  'idempotency.durable': RESTART,
  'resume.any-node': RESTART,
  'resume.recovery': RESTART,
  'resume.ask-lost': RESTART,
  'resume.steps': RESTART,
  'resume.one-writer': INSIDE,
  'stream.commit-first': INSIDE,
  'stream.slow-reader': 'it needs a larger stream than a check may ask for',
  'stream.backpressure': INSIDE,
  'stream.limit': 'it needs a longer stream than a check may wait for',
  'stream.sse-keep-alive': 'it needs half a minute of silence',
  'errors.profile-100': 'it depends on a setting of the operator; errors.http-status checks the default',
  'push.ssrf-connect': 'it needs a name that resolves to another address later',
  'security.file-urls': 'only the agent fetches the URLs in parts',
  'security.logs': 'only operators see the logs',
};
