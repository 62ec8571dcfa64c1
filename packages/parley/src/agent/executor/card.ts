import type { JsonObject } from '../../model/basics/json.ts';
import type { AgentExtension, AgentProvider } from '../../model/card.ts';
import type { SkillDefinition } from '../../model/extensions/skills.ts';
import type { CardExtension, ExecutorAgentOptions, ExecutorCard, ExecutorSkill } from './types.ts';

export function isOfficialCard(card: ExecutorAgentOptions | ExecutorCard): card is ExecutorCard {
  return 'capabilities' in card || 'defaultInputModes' in card;
}

/**
 * Reads the agent's definition off an official card. The display name becomes part of the address: `Movie Agent`,
 * movie-agent.
 */
export function optionsOf(card: ExecutorCard): ExecutorAgentOptions {
  const { name, description, version, capabilities, skills } = card;
  return {
    name: addressName(name),
    title: name,
    description,
    version,
    sdk: card.protocolVersion?.startsWith('0.') ? '0.3' : '1.x',
    skills: skills.map(skillOf),
    inputModes: card.defaultInputModes.map(mediaType),
    outputModes: card.defaultOutputModes.map(mediaType),
    provider: card.provider && providerOf(card.provider),
    documentationUrl: card.documentationUrl || undefined,
    iconUrl: card.iconUrl || undefined,
    extensions: capabilities?.extensions?.map(extensionOf),
    streaming: capabilities?.streaming === true,
  };
}

/** Of the messages of the SDK, which have members of their own, what a definition takes. */
function providerOf({ organization, url }: AgentProvider): AgentProvider {
  return { organization, url };
}

function addressName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'agent';
}

function skillOf({ id, name, description, tags, examples, inputModes, outputModes }: ExecutorSkill): SkillDefinition {
  return {
    id,
    name,
    description,
    // A card of Parley's has at least one.
    tags: tags.length > 0 ? tags : ['general'],
    examples: given(examples),
    inputModes: given(inputModes)?.map(mediaType),
    outputModes: given(outputModes)?.map(mediaType),
  };
}

/** In the official types a list that was not given is empty. */
function given<Item>(list: readonly Item[] | undefined): readonly Item[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

const INFORMAL: Readonly<Record<string, string>> = {
  text: 'text/plain',
  data: 'application/json',
  json: 'application/json',
  file: '*/*',
};

/** Cards of older samples say `text`; messages say `text/plain`, and here they are held to what the card says. */
function mediaType(mode: string): string {
  return mode.includes('/') ? mode : (INFORMAL[mode.toLowerCase()] ?? `${mode}/*`);
}

function extensionOf({ uri, description, required, params }: CardExtension): AgentExtension {
  return { uri, description: description || undefined, required, params: params as JsonObject | undefined };
}
