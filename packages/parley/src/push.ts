/** Webhooks: what senders sign and receivers verify. */
export type { NotificationDialect } from './dialects/notifications.ts';
export type { StreamEvent } from './model/task.ts';
export type { NodeRequest, NodeResponse } from './push/receive/node-delivery.ts';
export type { PushReceiverOptions } from './push/receive/options.ts';
export { type PushReceiver, pushReceiver } from './push/receive/push-receiver.ts';
export { type PushKey, type PushStore, RecentPushes } from './push/receive/recent-pushes.ts';
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
export type { PushNotification } from './push/verify/notification.ts';
export type { VerifyOptions } from './push/verify/options.ts';
export { isPushError, PushError, type PushErrorCode } from './push/verify/push-error.ts';
export type { ReceivedHeaders, ReceivedParts, ReceivedRequest } from './push/verify/received-request.ts';
export { verifyPush } from './push/verify/verify.ts';
export { type GetRequest, OutboundGuard, type PostRequest } from './server/outbound/guard.ts';
export type { OutboundResponse, WholeResponse } from './server/outbound/node/responses.ts';
export { isOutboundError, OutboundError, type OutboundErrorCode } from './server/outbound/outbound-error.ts';
export type { OutboundOptions, ResolveName } from './server/outbound/settings.ts';
