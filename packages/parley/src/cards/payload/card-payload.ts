import { isPlainObject } from '../../model/basics/json.ts';
import { canonicalJson, DEEPEST, escapedToAscii } from './canonical-json.ts';
import { CARD_MEMBERS, type MemberRule, type MessageRules } from './card-members.ts';

/** A card as JSON, of A2A 1.0. */
export type CardJson = Readonly<Record<string, unknown>>;

/**
 * The forms in which cards are signed. `standard` is the protocol's (reference: v1-agent-card §6.2); libraries in use sign
 * without any empty value and any member that they do not know (`compact`), one of them with escapes (`ascii`) (§6.6), and
 * the official SDK for JavaScript loses the security schemes of a card that it has parsed (`schemeless`).
 */
export const PAYLOAD_FORMS = ['standard', 'compact', 'ascii', 'schemeless'] as const;
export type PayloadForm = (typeof PAYLOAD_FORMS)[number];

/** The text of a card that a signature covers. Throws a TypeError for a card that cannot be written so. */
export function cardPayload(card: CardJson, form: PayloadForm = 'standard'): string {
  const { signatures: _signatures, ...unsigned } = card;
  switch (form) {
    case 'standard':
      return canonicalJson(cleaned(unsigned, CARD_MEMBERS, true));
    case 'compact':
      return canonicalJson(withoutEmpties(cleaned(unsigned, CARD_MEMBERS, false), DEEPEST) ?? {});
    case 'ascii':
      return escapedToAscii(cardPayload(card, 'compact'));
    case 'schemeless':
      return cardPayload({ ...card, securitySchemes: undefined }, 'compact');
  }
}

/** A message by the rules of presence. Members that are not known have none: they stay as they are, or go. */
function cleaned(message: CardJson, members: MessageRules, keepsUnknown: boolean): CardJson {
  const kept = Object.entries(message).flatMap(([name, value]): [string, unknown][] => {
    const rule = Object.hasOwn(members, name) ? members[name] : undefined;
    if (value === null || value === undefined || (!rule && !keepsUnknown)) return [];
    if (!rule) return [[name, value]];
    const inside = cleanedValue(value, rule, keepsUnknown);
    return rule.kept || !isDefault(inside) ? [[name, inside]] : [];
  });
  // Object.fromEntries defines members, so that one called __proto__ is a member too.
  return Object.fromEntries(kept);
}

function cleanedValue(value: unknown, { holds, members = {} }: MemberRule, keepsUnknown: boolean): unknown {
  const inner = (item: unknown) => (isPlainObject(item) ? cleaned(item, members, keepsUnknown) : item);
  switch (holds) {
    case 'message':
      return inner(value);
    case 'list':
      return Array.isArray(value) ? value.map(inner) : value;
    case 'map':
      if (!isPlainObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]));
    case 'value':
    case 'opaque':
      return value;
  }
}

function isDefault(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The value without anything that is empty, at any depth; undefined where nothing is left. Throws beyond `levels`. */
function withoutEmpties(value: unknown, levels: number): unknown {
  if (value === '' || value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (levels === 0) throw new TypeError(`it is nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutEmpties(item, levels - 1)).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  const entries = Object.entries(value as CardJson)
    .map(([name, item]) => [name, withoutEmpties(item, levels - 1)] as const)
    .filter(([, item]) => item !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
