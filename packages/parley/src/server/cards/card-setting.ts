import type { CardKey } from '../../cards/keys/signing-key.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { requireKnown } from '../known-names.ts';
import type { CardShape } from './card-shapes.ts';

/** The callers that may read cards and lists of agents. */
type CardAccess = 'public' | 'guarded';

/** The shape of cards, their readers, and the keys that sign them. */
export interface CardSettings {
  /** Card for a request without `A2A-Version`. Default `merged`, or `1.0` if cards are signed. */
  readonly shape?: CardShape | undefined;
  /** Keys that sign cards of 1.0. Use several while clients still trust an old one. Default: cards are not signed. */
  readonly sign?: CardKey | readonly CardKey[] | undefined;
  /** `guarded` shows cards and the list of agents only to callers with valid credentials. Default `public`. */
  readonly access?: CardAccess | undefined;
  /** Seconds for which clients may cache a card. Default 300. */
  readonly maxAge?: number | undefined;
}

/** A shape, or all that there is to say. */
export type CardSetting = CardShape | CardSettings;

/** The most keys of a card, each with one signature per form. */
const MOST_CARD_KEYS = 4;

const SHAPES: readonly CardShape[] = ['merged', '1.0', '0.3'];

const ACCESSES: readonly CardAccess[] = ['public', 'guarded'];
const USUAL_MAX_AGE = 300;
const MEMBERS = ['shape', 'sign', 'access', 'maxAge'];

export interface ResolvedCardSetting {
  readonly shape: CardShape;
  readonly keys: readonly CardKey[];
  /** Cards are for callers with valid credentials alone. */
  readonly isGuarded: boolean;
  /** Seconds. */
  readonly maxAge: number;
}

/** Throws a TypeError that names the setting and what is wrong with it. */
export function resolveCardSetting(setting: CardSetting = {}): ResolvedCardSetting {
  if (typeof setting === 'string') return resolveCardSetting({ shape: setting });
  if (!isPlainObject(setting))
    throw new TypeError(`card must be a shape or { ${MEMBERS.join(', ')} }, not ${JSON.stringify(setting)}`);
  requireKnown('card', setting, MEMBERS);
  const { shape, sign, access = 'public', maxAge = USUAL_MAX_AGE } = setting as CardSettings;
  if (!ACCESSES.includes(access))
    throw new TypeError(`card.access is ${JSON.stringify(access)}; it must be ${ACCESSES.join(' or ')}`);
  if (typeof maxAge !== 'number' || !(maxAge >= 0))
    throw new TypeError(`card.maxAge must be a number of seconds that is not negative, not ${String(maxAge)}`);
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
  const usual = keys.length > 0 ? '1.0' : 'merged';
  return { shape: checkedShape(shape ?? usual), keys, isGuarded: access === 'guarded', maxAge };
}

function checkedShape(shape: CardShape): CardShape {
  if (SHAPES.includes(shape)) return shape;
  throw new TypeError(`card has the shape ${JSON.stringify(shape)}; there are ${SHAPES.join(', ')}`);
}
