/** Ways of telling who calls. */
export type {
  Authenticator,
  AuthRequest,
  AuthTools,
  ClientCertificate,
  Identity,
  Peer,
  TokenIssuer,
} from './server/auth/authenticator.ts';
export type { ChallengeParameters } from './server/auth/challenge.ts';
export { type Authenticated, type Authentication, combine } from './server/auth/combine.ts';
export { forbidden } from './server/auth/forbidden.ts';
export { jwt } from './server/auth/jwt/jwt.ts';
export type { JsonWebKeys, JwtOptions } from './server/auth/jwt/options.ts';
export { type ApiKeysOptions, apiKeys, type KeyPlace } from './server/auth/keys/api-keys.ts';
export type { KeyEntry } from './server/auth/keys/key-record.ts';
export { hashKey } from './server/auth/keys/key-text.ts';
export { hashPassword } from './server/auth/node/scrypt.ts';
export { type WrongCredentialOptions, wrongCredential } from './server/auth/refusals.ts';
export { type BasicOptions, type BasicUser, basic } from './server/auth/schemes/basic.ts';
export { type CustomOptions, type CustomRequest, custom, type IdentifyCaller } from './server/auth/schemes/custom.ts';
export { type MtlsOptions, mtls } from './server/auth/schemes/mtls.ts';
export { type CredentialCheck, validated } from './server/auth/schemes/validated.ts';
