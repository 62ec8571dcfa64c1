import { JWT_HEADER } from '../../../push/signature/headers.ts';
import { signPushJwt } from '../../../push/signature/push-jwt.ts';
import { isPushSecret } from '../../../push/signature/secrets.ts';
import { signPush } from '../../../push/signature/sign.ts';
import { SIGNATURE_HEADER } from '../delivery/header-names.ts';
import type { SignedRequest, SignRequest } from '../delivery/sender.ts';
import type { PushKeys } from './push-keys.ts';

export interface SigningOptions {
  readonly keys: PushKeys;
  /** Shared secrets for webhooks that bring none of their own, `whsec_…`. */
  readonly secrets: readonly string[];
  /** The address of an agent's card, where requests carry a JWT; undefined where they do not. */
  readonly issuerOf: ((agent: string) => string) | undefined;
}

/** Signs requests as Standard Webhooks has it: with the secret of the config or the operator's, and with the server's keys. */
export function signing({ keys, secrets, issuerOf }: SigningOptions): SignRequest {
  return async (request: SignedRequest) => {
    const { id, timestamp, body, url, agent } = request;
    const { token } = request.secrets;
    const { signingKeys } = keys;
    const own = token !== undefined && isPushSecret(token) ? [token] : secrets;
    const signature = await signPush({ id, timestamp, body, secrets: own, signingKeys });
    const [signingKey] = signingKeys;
    const jwt =
      issuerOf && signingKey !== undefined
        ? await signPushJwt({ issuer: issuerOf(agent), audience: url, id, timestamp, body, signingKey })
        : undefined;
    return { [SIGNATURE_HEADER]: signature, ...(jwt !== undefined && { [JWT_HEADER]: jwt }) };
  };
}
