export { callCogitator } from './v0_3/cogitator/calling.ts';
export { encodeCard } from './v0_3/cogitator/card.ts';
export { cogitator } from './v0_3/cogitator/index.ts';
export { looksLikeCogitator, STREAM_METHOD } from './v0_3/cogitator/requests.ts';
export type * from './v0_3/cogitator/types.ts';
