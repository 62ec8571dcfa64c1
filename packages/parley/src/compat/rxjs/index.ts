/*
 * The client of the seed S0 under the names of its document: a program that was written for it imports them from here
 * and changes nothing else.
 */
export { type A2AClient, A2AClientImpl } from './client.ts';
export type * from './types.ts';
