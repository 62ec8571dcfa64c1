import type { Agent, AgentDefinition } from '../agent/agent.ts';
import { defineAgent } from '../agent/define.ts';
import type { KnownMembers, ShapesOf, SkillDefinition, SkillShape } from '../model/extensions/skills.ts';
import type { SchemaSource, SourceOutput } from '../model/schema/schema-check.ts';
import { runLoop } from './loop/run-loop.ts';
import { checkLlmOptions, isOfLlm } from './option-checks.ts';
import type { LlmAgentOptions } from './options.ts';
import { resolveSettings } from './settings.ts';

/** Options whose types tell the skills of the agent. */
export type TypedOptions<Name, Skills extends readonly SkillDefinition[], Output> = Omit<
  LlmAgentOptions,
  'name' | 'skills' | 'output'
> & {
  readonly name: Name;
  readonly skills?: (Skills & NoInfer<KnownMembers<Skills>>) | undefined;
  readonly output?: Output | undefined;
};

interface OutputShape<Output extends SchemaSource> extends SkillShape {
  readonly output: SourceOutput<Output>;
}

/** An agent of a language model, with the types of its skills: where only `output` is given, of the one that has it. */
export type LlmAgent<
  Name extends string,
  Skills extends readonly SkillDefinition[],
  Output,
> = Skills extends readonly []
  ? Output extends SchemaSource
    ? Agent<Name, { readonly [Id in Name]: OutputShape<Output> }>
    : Agent
  : Agent<Skills[number]['id'], ShapesOf<Skills>>;

/**
 * Makes an agent of a language model: it answers with what the model says, calls tools until the model is done, and goes on
 * after a restart without asking or calling anything twice.
 *
 * @example
 * const helper = llmAgent({
 *   name: 'helper',
 *   description: 'Answers questions about the weather',
 *   version: '1.0.0',
 *   model: openai('gpt-5'),
 *   instructions: 'Answer in one sentence.',
 *   tools: { weather },
 * });
 */
export function llmAgent<
  const Name extends string,
  const Skills extends readonly SkillDefinition[] = readonly [],
  Output extends SchemaSource | undefined = undefined,
>(options: TypedOptions<Name, Skills, Output>): LlmAgent<Name, Skills, Output>;
export function llmAgent(options: LlmAgentOptions): Agent {
  checkLlmOptions(options);
  const { output, ...rest } = options;
  const given = rest.skills && rest.skills.length > 0 ? rest.skills : undefined;
  const skills = given ?? (output ? [skillWith(options)] : []);
  const resolved = resolveSettings(options, skills);
  return defineAgent({
    ...ofAgent(rest),
    ...(skills.length > 0 && { skills }),
    resumable: true,
    run: (task) => runLoop(resolved, task),
  }) as Agent;
}

/** The options that any agent has: a server shows nothing of the others. */
function ofAgent(options: Omit<LlmAgentOptions, 'output'>): Omit<AgentDefinition, 'run'> {
  const own = Object.entries(options).filter(([name]) => !isOfLlm(name));
  return Object.fromEntries(own) as unknown as Omit<AgentDefinition, 'run'>;
}

/** The only skill of an agent whose result has a schema: its card shows the schema, and callers' types have it. */
function skillWith({ name, description, output }: LlmAgentOptions): SkillDefinition {
  return { id: name, name, description, tags: ['general'], output };
}
