/** Bounds of the bridge. Each has a message of its own where it strikes. */

/** Bytes of JSON in one result. Readers of stdio take lines of 10 MB at most; the rest is room for the envelope. */
export const RESULT_BYTES = 8 * 1024 * 1024;
/** Characters of a tool's description. */
export const DESCRIPTION_LENGTH = 4000;
/** Bytes of one JSON Schema from a card; a larger one is replaced by "anything". */
export const SCHEMA_BYTES = 64 * 1024;
/** Levels of one JSON Schema from a card. */
export const SCHEMA_LEVELS = 32;
/** Tools of one agent; further skills are reached by the tool of the agent itself. */
export const TOOLS_OF_AGENT = 128;
/** Milliseconds between two progress notifications of one call. */
export const PROGRESS_INTERVAL = 250;
/** Milliseconds of silence after which progress is repeated, so that a client knows that the call lives. */
export const PROGRESS_SILENCE = 10_000;
/** Characters of one progress message. */
export const PROGRESS_LENGTH = 1000;
/** Milliseconds between two looks at the cards. */
export const CARD_INTERVAL = 60_000;
/** Milliseconds that one look at a card may take. */
export const CARD_TIMEOUT = 10_000;
/** Milliseconds that a cancellation may take before the call is left. */
export const CANCEL_TIMEOUT = 5000;
/** Rounds of questions in one call. */
export const QUESTION_ROUNDS = 32;
/** Milliseconds that a person has for one answer, where the bridge waits for it. */
export const QUESTION_TIMEOUT = 10 * 60_000;
/** Bytes of one request over HTTP. */
export const REQUEST_BYTES = 4 * 1024 * 1024;
/** Bytes of all requests over HTTP that are larger than 64 KiB and not answered yet; further ones get 503. */
export const REQUESTS_BYTES = 64 * 1024 * 1024;
/** Milliseconds in which the body of a request over HTTP must have arrived. */
export const BODY_TIMEOUT = 60_000;
/** Requests over HTTP that may be open at the same time, streams included; further ones get 503. */
export const OPEN_REQUESTS = 1024;
/** Milliseconds after which a response that its client does not read is cut. */
export const STALL_TIMEOUT = 5 * 60_000;
/** Sessions of clients of 2025-11-25 over HTTP; beyond, the one that was quiet for the longest ends. */
export const SESSIONS = 256;
/** Milliseconds after which a quiet session may end. */
export const SESSION_IDLE = 60 * 60_000;
/** Milliseconds that a call waits for its end before a client that takes tasks gets one instead of the result. */
export const TASK_DELAY = 1000;
/** Milliseconds between two looks at a task that clients are asked for. */
export const TASK_POLL_INTERVAL = 1000;
/** Replies of agents that made no task, kept for clients of 2025-11-25 that asked for one. */
export const KEPT_REPLIES = 256;
/** Bytes of JSON of all those replies together; the oldest go first. */
export const KEPT_BYTES = 64 * 1024 * 1024;
