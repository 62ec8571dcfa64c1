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
/** Sessions of clients of 2025-11-25 over HTTP; beyond, the one that was quiet for the longest ends. */
export const SESSIONS = 256;
/** Milliseconds after which a quiet session may end. */
export const SESSION_IDLE = 60 * 60_000;
/** Milliseconds that a call waits for its end before a client that takes tasks gets one in the place of the result. */
export const TASK_DELAY = 1000;
/** Milliseconds between two looks at a task that clients are asked for. */
export const TASK_POLL_INTERVAL = 1000;
/** Replies of agents that made no task, kept for clients of 2025-11-25 that asked for one. */
export const KEPT_REPLIES = 256;
