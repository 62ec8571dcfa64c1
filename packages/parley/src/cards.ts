/**
 * Signing and verifying of agent cards, cards for registries, and the lists of agents that hosts publish. Nothing here, nor anything that this leads to, needs Node.
 */

export { type ListAgentsOptions, listAgents } from './cards/catalog/list-agents.ts';
export type { AgentList, ListedAgent } from './cards/catalog/read-catalog.ts';
export type { Jwk } from './cards/keys/algorithms.ts';
export type { KeyObjectLike } from './cards/keys/key-kinds.ts';
export type { CardKey, PrivateKeySource } from './cards/keys/signing-key.ts';
export type { PublicKeySource, TrustSettings } from './cards/keys/trusted-keys.ts';
export type { WebCryptoKey, WebCryptoKeyPair } from './cards/keys/web-crypto.ts';
export { type CardJson, cardPayload, type PayloadForm } from './cards/payload/card-payload.ts';
export { signCard } from './cards/sign-card.ts';
export type { CardSignature } from './cards/signature.ts';
export { type VerifyingOptions, verifiedCards } from './cards/verified-cards.ts';
export { type VerifiedCard, verifyCard } from './cards/verify-card.ts';
export type { CatalogEntry } from './model/catalog.ts';
export { type CardTool, type GenerateCardOptions, generateAgentCard } from './server/cards/generate-card.ts';
