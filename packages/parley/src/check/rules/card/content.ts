import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { isObject, listAt, memberOf, objectAt, textAt } from '../../wire/json.ts';
import { CARD_1_0, unknownMembers } from '../schemas.ts';

const REQUIRED_TEXTS = ['name', 'description', 'version'];
const REQUIRED_LISTS = ['supportedInterfaces', 'defaultInputModes', 'defaultOutputModes', 'skills'];
const SCHEME_MEMBERS = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
];

/** The first thing that a 1.0 card lacks. */
function lackOf(card: unknown): string | undefined {
  const text = REQUIRED_TEXTS.find((name) => textAt(card, name) === undefined);
  if (text) return `the card has no ${text}`;
  const list = REQUIRED_LISTS.find((name) => (listAt(card, name) ?? []).length === 0);
  if (list) return `${list} is missing or empty`;
  if (objectAt(card, 'capabilities') === undefined) return 'the card has no capabilities';
  for (const [index, entry] of (listAt(card, 'supportedInterfaces') ?? []).entries()) {
    const missing = ['url', 'protocolBinding', 'protocolVersion'].find((name) => !textAt(entry, name));
    if (missing) return `supportedInterfaces[${index}] has no ${missing}`;
  }
  for (const [index, skill] of (listAt(card, 'skills') ?? []).entries()) {
    const missing = ['id', 'name', 'description'].find((name) => textAt(skill, name) === undefined);
    if (missing) return `skills[${index}] has no ${missing}`;
    if ((listAt(skill, 'tags') ?? []).length === 0) return `skills[${index}].tags is missing or empty`;
  }
  return undefined;
}

export const CARD_CONTENT: readonly Rule[] = [
  {
    id: 'card.required-members',
    server({ cards, targets }) {
      const isModern = memberOf(cards['1.0'].card, 'supportedInterfaces') !== undefined;
      if (!isModern && !targets.some(({ version }) => version === '1.0')) inapplicable('the server has no card of 1.0');
      const lack = lackOf(cards['1.0'].card);
      if (lack) fail(lack, cards['1.0'].exchange);
    },
  },
  {
    id: 'card.pure-10',
    server({ cards }) {
      const { card, exchange } = cards['1.0'];
      const [extra] = unknownMembers(card, CARD_1_0);
      if (extra) fail(`the 1.0 card has the member ${extra}, which 1.0 does not know`, exchange);
    },
  },
  {
    id: 'card.declares-resume',
    server({ cards }) {
      for (const { card, exchange } of Object.values(cards)) {
        const extensions = listAt(card, 'capabilities', 'extensions') ?? [];
        const found = extensions.find((extension) => textAt(extension, 'uri') === 'urn:parley:ext:resume:v1');
        if (found === undefined) fail('a card does not list urn:parley:ext:resume:v1', exchange);
        if (memberOf(found, 'required') === true) fail('the extension is marked as required', exchange);
      }
    },
  },
  {
    id: 'card.scheme-one-member',
    server({ cards }) {
      const { card, exchange } = cards['1.0'];
      const schemes = Object.entries(objectAt(card, 'securitySchemes') ?? {});
      if (schemes.length === 0) inapplicable('the card has no security schemes');
      for (const [name, scheme] of schemes) {
        const members = isObject(scheme) ? Object.keys(scheme).filter((member) => SCHEME_MEMBERS.includes(member)) : [];
        if (members.length !== 1)
          fail(`the scheme ${name} has ${members.length} scheme members instead of one`, exchange);
      }
    },
  },
  {
    id: 'card.requirements-or-and',
    async server(server) {
      const requirements = listAt(server.card, 'securityRequirements') ?? [];
      if (requirements.length === 0) inapplicable('the card requires no credentials');
      const schemes = objectAt(server.card, 'securitySchemes') ?? {};
      for (const [index, requirement] of requirements.entries()) {
        const named = Object.keys(objectAt(requirement, 'schemes') ?? {});
        const unknown = named.find((name) => !Object.hasOwn(schemes, name));
        if (unknown)
          fail(
            `securityRequirements[${index}] names ${unknown}, which is no scheme of the card`,
            server.cards['1.0'].exchange,
          );
      }
      const proof = await server.credentials(server.cardUrl);
      if (Object.keys(proof).length === 0) skip('no credentials were given, so none could be shown to be enough');
    },
  },
];
