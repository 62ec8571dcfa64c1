/*
 * How long the client waits, how often it tries and how much it keeps, where no option says so. In a file that imports
 * nothing, bundlers write the numbers where they are used (decision 0015).
 */

/** The silence after which connections of servers that keep them alive are lost, and those of others. */
export const IDLE_WITH_KEEP_ALIVE_MS = 60_000;
export const IDLE_WITHOUT_MS = 300_000;

/** Calls do not ask for the card more often than this, whatever its lifetime. */
export const LEAST_LIFETIME_MS = 60_000;
/** The lifetime of a card without a word of the server on it. */
export const DEFAULT_LIFETIME_MS = 3_600_000;
/** The longest wait of a call to hear whether the card changed. */
export const LONGEST_REVALIDATION_MS = 5_000;

export const MOST_REDIRECTS = 5;
export const MOST_CHALLENGES = 2;

/** A connection that held this long was good: its end does not count against the attempts. */
export const HELD_MS = 5_000;
/** The longest pause that a server can ask for. */
export const LONGEST_WAIT_MS = 60_000;
/** A subscription without a response after this time may wait for the task's next event. */
export const SLOW_OPENING_MS = 1_000;

/** The least pause between looks at a task, beside its live events. */
export const LEAST_LOOK_MS = 100;
/** The least length of such a pause, in lengths of the look before it. */
export const LOOK_SHARE = 4;

/** The pauses between looks at a task, where nothing else tells of it. */
export const LEAST_POLL_MS = 500;
export const LONGEST_POLL_MS = 5_000;
/** A state may be unknown for a moment; after this many looks it is not known whether the task goes on. */
export const MOST_UNKNOWN_LOOKS = 3;

/** An agent that asks without an end gets no more answers than this to one send, or from one stream. */
export const MOST_ANSWERS = 256;

/** The size of an event beside its frame: about a thousand of the least are read ahead. */
export const LEAST_SIZE = 2 ** 13;

/** The tasks of a page. */
export const PAGE_SIZE = 50;
