/*
 * The JSON of A2A 0.3 as types, under the names that its own schema has. There is nothing here at run time. They are not
 * `readonly`: a peer of your own builds these objects piece by piece.
 */
export type * from './agent-card.ts';
export type * from './errors.ts';
export type * from './json-rpc.ts';
export type * from './parts.ts';
export type * from './push-notifications.ts';
export type * from './requests.ts';
export type * from './security.ts';
export type * from './tasks.ts';
