/** Logins on a page, for programs on Node. */
export { type LoopbackOptions, loopback } from './client/auth/oauth/node/loopback.ts';
