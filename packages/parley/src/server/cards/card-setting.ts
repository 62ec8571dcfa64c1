import type { CardKey } from '../../cards/keys/signing-key.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import type { CardShape } from './card-shapes.ts';

/** The shape of cards, and the keys that sign them. */
export interface CardSettings {
  /** Card for a request without `A2A-Version`. Default `merged`, or `1.0` if cards are signed. */
  readonly shape?: CardShape | undefined;
  /** Keys that sign cards of 1.0. Use several while clients still trust an old one. Default: cards are not signed. */
  readonly sign?: CardKey | readonly CardKey[] | undefined;
}

/** A shape, or all that there is to say. */
export type CardSetting = CardShape | CardSettings;

/** A card has at most one signature for each form and each of so many keys. */
export const MOST_CARD_KEYS = 4;

const SHAPES: readonly CardShape[] = ['merged', '1.0', '0.3'];

export interface ResolvedCardSetting {
  readonly shape: CardShape;
  readonly keys: readonly CardKey[];
}

/** Throws a TypeError that names the setting and what is wrong with it. */
export function resolveCardSetting(setting: CardSetting = {}): ResolvedCardSetting {
  if (typeof setting === 'string') return { shape: checkedShape(setting), keys: [] };
  if (!isPlainObject(setting))
    throw new TypeError(`card must be a shape or { shape, sign }, not ${JSON.stringify(setting)}`);
  const { shape, sign } = setting as CardSettings;
  const keys = sign === undefined ? [] : [sign].flat();
  if (sign !== undefined && keys.length === 0)
    throw new TypeError('card.sign is an empty list; leave it out, or give it a key');
  if (keys.length > MOST_CARD_KEYS) throw new TypeError(`card.sign has more than ${MOST_CARD_KEYS} keys`);
  for (const key of keys) {
    if (!isPlainObject(key) || key.key === undefined)
      throw new TypeError('card.sign must be { key, kid }, or a list of them');
  }
  // A signature covers one shape, which the merged one is not (reference: mapping §1).
  if (shape === 'merged' && keys.length > 0) {
    throw new TypeError(
      "card.shape 'merged' cannot be signed; leave it out for the card of 1.0, which 0.3 clients ask for by version",
    );
  }
  return { shape: shape === undefined ? (keys.length > 0 ? '1.0' : 'merged') : checkedShape(shape), keys };
}

function checkedShape(shape: CardShape): CardShape {
  if (SHAPES.includes(shape)) return shape;
  throw new TypeError(`card has the shape ${JSON.stringify(shape)}; there are ${SHAPES.join(', ')}`);
}
