import { createDigest, statistics } from './digest.ts';

/** Both sub-agents are on the same server; `createDigest('https://…')` calls one on another. */
export const digest = createDigest(statistics);
export { headline, statistics } from './digest.ts';
