import { infinitePath, isPlainObject } from '../../model/basics/json.ts';
import type { AgentCard, AgentSkill, SecurityRequirement } from '../../model/card.ts';

/** Throws a TypeError that names all that keeps a card from being published (reference: v1-agent-card §2, §5). */
export function checkCard(card: AgentCard, agent: string): void {
  const problems = [
    ...faultsOfTexts(card),
    ...faultsOfSkills(card),
    ...faultsOfSecurity(card),
    ...faultsOfExtensions(card),
  ];
  if (problems.length === 0) return;
  throw new TypeError(`The card of agent "${agent}" cannot be published: ${problems.join('; ')}`);
}

function* faultsOfTexts({ name, description, version, provider, documentationUrl, iconUrl, ...card }: AgentCard) {
  for (const [member, text] of Object.entries({ name, description, version })) {
    if (typeof text !== 'string' || text === '') yield `${member} must be a text`;
  }
  if (provider !== undefined && (!provider.organization || !isAddress(provider.url))) {
    yield 'provider needs an organization and an http(s) url';
  }
  if (documentationUrl && !isAddress(documentationUrl)) yield 'documentationUrl must be an http(s) address';
  if (iconUrl && !isAddress(iconUrl) && !/^data:image\//i.test(iconUrl)) {
    yield 'iconUrl must be an http(s) address, or data: of an image';
  }
  yield* faultsOfModes('inputModes', card.defaultInputModes);
  yield* faultsOfModes('outputModes', card.defaultOutputModes);
}

function isAddress(text: unknown): boolean {
  return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Some dialects have kinds of parts in their place, so that they may be any words. */
function* faultsOfModes(member: string, modes: readonly string[]) {
  if (modes.length === 0) yield `${member} must not be empty`;
  else if (!modes.every(isText)) yield `${member} must be media types such as text/plain`;
}

function* faultsOfSkills({ skills }: AgentCard) {
  if (skills.length === 0) yield 'skills must not be empty';
  const ids = skills.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) yield `two skills have the id ${JSON.stringify(twice)}`;
  for (const [index, skill] of skills.entries()) {
    const place =
      typeof skill.id === 'string' && skill.id !== '' ? `skill ${JSON.stringify(skill.id)}` : `skills[${index}]`;
    yield* faultsOfSkill(skill, place);
  }
}

function* faultsOfSkill({ id, name, description, tags, inputModes, outputModes, examples }: AgentSkill, place: string) {
  for (const [member, text] of Object.entries({ id, name, description })) {
    if (typeof text !== 'string' || text === '') yield `${place} needs ${member}, a text`;
  }
  if (!Array.isArray(tags) || tags.length === 0 || !tags.every(isText)) yield `${place} needs tags, one at least`;
  if (examples?.some((example) => !isText(typeof example === 'string' ? example : example.input))) {
    yield `${place} has an example that is no text`;
  }
  if (inputModes) yield* faultsOfModes(`${place}: inputModes`, inputModes);
  if (outputModes) yield* faultsOfModes(`${place}: outputModes`, outputModes);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function* faultsOfSecurity({ securitySchemes = {}, security = [], skills }: AgentCard) {
  const demands: readonly (readonly [string, readonly SecurityRequirement[]])[] = [
    ['security', security],
    ...skills.map((skill) => [`skill ${JSON.stringify(skill.id)}: security`, skill.security ?? []] as const),
  ];
  for (const [place, alternatives] of demands) {
    const unknown = alternatives.flatMap(Object.keys).find((name) => !Object.hasOwn(securitySchemes, name));
    if (unknown !== undefined) yield `${place} names ${JSON.stringify(unknown)}, which is none of securitySchemes`;
  }
}

function* faultsOfExtensions({ capabilities }: AgentCard) {
  for (const { uri, params } of capabilities.extensions) {
    if (!isText(uri)) yield 'an extension has no uri';
    if (params === undefined) continue;
    const problem = isPlainObject(params) ? faultOfJson(params) : 'must be an object';
    if (problem !== undefined) yield `params of the extension ${uri} ${problem}`;
  }
}

function faultOfJson(value: Readonly<Record<string, unknown>>): string | undefined {
  try {
    JSON.stringify(value);
    const path = infinitePath(value);
    return path === undefined ? undefined : `have a number that JSON cannot write, at ${path}`;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`;
  }
}
