import { resolveCardSetting } from '../../cards/card-setting.ts';
import { CardSigner } from '../../cards/card-signer.ts';
import type { A2AServerOptions } from '../../options.ts';
import { PublishedKeys } from '../../well-known/published-keys.ts';

/** The parts that write and sign the server's cards. */
export interface SigningParts {
  readonly shape: ReturnType<typeof resolveCardSetting>['shape'];
  /** Undefined where cards are not signed. */
  readonly signer: CardSigner | undefined;
  /** The keys by which others check what comes from this server. */
  readonly publishedKeys: PublishedKeys;
}

export function signingPartsOf(options: A2AServerOptions): SigningParts {
  const { keys, shape } = resolveCardSetting(options.card);
  const signer = keys.length > 0 ? new CardSigner(keys) : undefined;
  const publishedKeys = new PublishedKeys(options.cardMaxAge ?? 300);
  if (signer) publishedKeys.add(() => signer.publicKeys());
  return { shape, signer, publishedKeys };
}
