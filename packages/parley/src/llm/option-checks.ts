import type { AgentDefinition } from '../agent/agent.ts';
import { DEFINITION, functionOr, schema } from '../agent/definition-checks.ts';
import { isPlainObject } from '../model/basics/json.ts';
import { anything, type Checks, called, checkOptions, members, object, shown } from '../model/options/checks.ts';
import type { LlmAgentOptions, ModelSettings } from './options.ts';

/** Their values are for the AI SDK and the provider to judge. */
const SETTINGS: Checks<ModelSettings> = {
  maxOutputTokens: anything,
  temperature: anything,
  topP: anything,
  topK: anything,
  presencePenalty: anything,
  frequencyPenalty: anything,
  stopSequences: anything,
  seed: anything,
  headers: anything,
  toolChoice: anything,
  providerOptions: anything,
};

/** The options that only agents of language models have: a server shows nothing of them. */
const OF_LLM: Checks<Omit<LlmAgentOptions, keyof AgentDefinition>> = {
  model: anything,
  instructions: anything,
  tools: functionOr(object),
  toolApproval: anything,
  maxTurns: anything,
  stopWhen: anything,
  output: schema,
  prepareHistory: called,
  settings: members(SETTINGS),
  // Names and values are looked at where the defaults are.
  limits: object,
};

const { run: _run, resumable: _resumable, streaming: _streaming, onCancel: _onCancel, ...OF_AGENTS } = DEFINITION;

const OPTIONS: Checks<LlmAgentOptions> = { ...OF_AGENTS, ...OF_LLM };

/** Throws a TypeError for members that nobody would read, and for wrong values. */
export function checkLlmOptions(options: LlmAgentOptions): void {
  if (!isPlainObject(options))
    throw new TypeError(`llmAgent takes { name, description, version }, not ${shown(options)}`);
  checkOptions(typeof options.name === 'string' ? `Agent "${options.name}"` : 'llmAgent', options, OPTIONS);
}

export function isOfLlm(name: string): boolean {
  return Object.hasOwn(OF_LLM, name);
}
