const { CI, CRASH_SEED } = process.env;
const FIXED_SEED = 20_261_115;

/** `CRASH_SEED` if it is set; in CI always the same, so that a failure is there again in the next run. */
export function seedOf(): number {
  if (CRASH_SEED !== undefined) return Number(CRASH_SEED);
  return CI ? FIXED_SEED : Math.floor(Math.random() * 1e9);
}
