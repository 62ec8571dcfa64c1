import type { ResolvedCardSetting } from '../../cards/card-setting.ts';
import { CardSigner } from '../../cards/card-signer.ts';
import { PublishedKeys } from '../../well-known/published-keys.ts';

/** The parts that sign the server's cards. */
interface SigningParts {
  /** Undefined where cards are not signed. */
  readonly signer: CardSigner | undefined;
  /** The keys by which others check what comes from this server. */
  readonly publishedKeys: PublishedKeys;
}

export function signingPartsOf({ keys, maxAge }: ResolvedCardSetting): SigningParts {
  const signer = keys.length > 0 ? new CardSigner(keys) : undefined;
  const publishedKeys = new PublishedKeys(maxAge);
  if (signer) publishedKeys.add(() => signer.publicKeys());
  return { signer, publishedKeys };
}
