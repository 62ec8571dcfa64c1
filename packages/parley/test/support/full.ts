/** True in `npm run test:full`, which takes the time for larger counts than a run on every change can have. */
export const IS_FULL: boolean = process.env.TEST_FULL === '1';

/** How often something is tried: on every change, and in a full run. */
export function countOf(usual: number, full: number): number {
  return IS_FULL ? full : usual;
}
