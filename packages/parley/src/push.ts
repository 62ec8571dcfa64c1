/** Webhooks: what senders sign and receivers verify. */
export { type PushJwtContent, signPushJwt } from './push/signature/push-jwt.ts';
export { newPushSecret } from './push/signature/secrets.ts';
export { type PushSigning, type SignedContent, signPush } from './push/signature/sign.ts';
export {
  newPushKeys,
  type PushKeyPair,
  type PushPublicJwk,
  publicJwkOf,
  publicKeyOf,
} from './push/signature/signing-keys.ts';
export { OutboundGuard, type PostRequest } from './server/outbound/guard.ts';
export type { OutboundResponse } from './server/outbound/node/responses.ts';
export { OutboundError, type OutboundErrorCode } from './server/outbound/outbound-error.ts';
export type { OutboundOptions, ResolveName } from './server/outbound/settings.ts';
