import type { LanguageModel, StopCondition, ToolSet } from 'ai';
import type { SkillDefinition } from '../model/extensions/skills.ts';
import { jsonSchemaOf } from '../model/schema/schema-check.ts';
import type { ToolApproval } from './ask/approval.ts';
import { type LlmLimits, resolveLlmLimits } from './limits.ts';
import type { DataOutput } from './loop/data-output.ts';
import type { ForTask, LlmAgentOptions, LlmTools, ModelSettings } from './options.ts';
import { modelFromEnvironment } from './provider/from-environment.ts';

/** The options of a language-model agent, checked, with their defaults. */
export interface LlmSettings {
  readonly model: ForTask<LanguageModel>;
  readonly instructions: ForTask<string | undefined>;
  readonly tools: ForTask<LlmTools>;
  readonly toolApproval: ToolApproval | undefined;
  readonly maxTurns: number;
  readonly stopWhen: readonly StopCondition<ToolSet>[];
  readonly prepareHistory: LlmAgentOptions['prepareHistory'];
  readonly settings: ModelSettings;
  readonly limits: LlmLimits;
  /** The schema of the result of a skill; undefined where it is text. */
  outputOf(skill: string | undefined): DataOutput | undefined;
}

const DEFAULT_MAX_TURNS = 20;

export function resolveSettings(options: LlmAgentOptions, skills: readonly SkillDefinition[]): LlmSettings {
  const { name, model = modelFromEnvironment(), instructions, tools = {}, maxTurns = DEFAULT_MAX_TURNS } = options;
  if (!Number.isInteger(maxTurns) || maxTurns < 1) {
    throw new TypeError(`maxTurns of agent "${name}" must be a whole number from 1, not ${maxTurns}`);
  }
  // A schema without words for the model is refused here, and not with the first message.
  if (options.output) jsonSchemaOf(options.output, 'input');
  const { stopWhen = [], prepareHistory, settings = {}, limits, output, toolApproval } = options;
  return {
    model,
    instructions,
    tools,
    toolApproval,
    maxTurns,
    stopWhen: typeof stopWhen === 'function' ? [stopWhen] : stopWhen,
    prepareHistory,
    settings,
    limits: resolveLlmLimits(name, limits),
    outputOf: (id) => {
      const declared = skills.find((skill) => skill.id === id)?.output;
      const source = declared ?? output;
      return source && { source, isChecked: declared !== undefined };
    },
  };
}
