/**
 * Signing and verifying of agent cards, for servers and clients. Nothing here, nor anything that this leads to, needs Node.
 */
export type { Jwk } from './keys/algorithms.ts';
export type { KeyObjectLike } from './keys/key-kinds.ts';
export type { CardKey, PrivateKeySource } from './keys/signing-key.ts';
export type { PublicKeySource, TrustSettings } from './keys/trusted-keys.ts';
export type { WebCryptoKey, WebCryptoKeyPair } from './keys/web-crypto.ts';
export { type CardJson, cardPayload, type PayloadForm } from './payload/card-payload.ts';
export { signCard } from './sign-card.ts';
export type { CardSignature } from './signature.ts';
export { type CardOptions, verifiedCards } from './verified-cards.ts';
export { type VerifiedCard, verifyCard } from './verify-card.ts';
