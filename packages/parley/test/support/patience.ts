/**
 * How long a test waits for a sign of life before it is taken for missing. A busy machine may need seconds for what takes
 * milliseconds elsewhere, and only a test that fails waits so long. Less than the time limit of a test.
 */
export const PATIENCE_MS = 60_000;
