import { type AgentCard, type AgentSkill, exampleInput } from '../model/card.ts';
import type { Content } from './content.ts';
import type { SendOptions } from './options.ts';

export interface ToolOptions {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds for one use. */
  readonly timeout?: number | undefined;
}

export interface ToolInput {
  /** What the agent is to do. */
  readonly task: string;
}

export interface ToolOutput {
  readonly output: string;
  readonly success: boolean;
  readonly error?: string | undefined;
}

/** An agent, or one of its skills, as tool libraries have them. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: ToolParameters;
  /** Never throws: what goes wrong is in the output. */
  readonly execute: (input: ToolInput, options?: { readonly signal?: AbortSignal | undefined }) => Promise<ToolOutput>;
}

export interface ToolParameters {
  readonly type: 'object';
  readonly properties: { readonly task: { readonly type: 'string'; readonly description: string } };
  readonly required: readonly ['task'];
  readonly additionalProperties: false;
}

const PARAMETERS: ToolParameters = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What the agent is to do, in plain words' } },
  required: ['task'],
  additionalProperties: false,
};

const UNKNOWN = { name: 'agent', description: 'Remote A2A agent' };

/** What a tool needs of a client. */
export interface Runner {
  readonly card: AgentCard | undefined;
  run(content: Content, options?: SendOptions): Promise<string>;
}

export function toolOf(agent: Runner, options: ToolOptions): AgentTool {
  return {
    // Read when they are wanted: a client that has not connected yet does not know its card.
    get name() {
      return options.name ?? toolName(agent.card?.name ?? UNKNOWN.name);
    },
    get description() {
      return options.description ?? (agent.card?.description || UNKNOWN.description);
    },
    parameters: PARAMETERS,
    execute: (input, more) => execute(agent, input, { timeout: options.timeout, signal: more?.signal }),
  };
}

export function skillToolsOf(agent: Runner, card: AgentCard, options: ToolOptions): AgentTool[] {
  return card.skills.map((skill) => ({
    name: toolName(`${options.name ?? card.name}_${skill.id}`),
    description: options.description ? `${options.description} ${describe(skill)}` : describe(skill),
    parameters: PARAMETERS,
    execute: (input, more) =>
      execute(agent, input, { timeout: options.timeout, signal: more?.signal, skill: skill.id }),
  }));
}

/** Language models make the input, so it may be anything. */
async function execute(agent: Runner, input: ToolInput | undefined, options: SendOptions): Promise<ToolOutput> {
  try {
    if (typeof input?.task !== 'string')
      return { output: '', success: false, error: 'The input must have a text, task' };
    return { output: await agent.run(input.task, options), success: true };
  } catch (error) {
    return { output: '', success: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function describe({ name, description, examples }: AgentSkill): string {
  const shown =
    examples && examples.length > 0 ? ` For example: ${examples.slice(0, 3).map(exampleInput).join('; ')}` : '';
  return `${description || name}${shown}`;
}

/** Language models take letters, digits, `_` and `-`, and at most 64 of them. */
function toolName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
  return name.slice(0, 64) || UNKNOWN.name;
}
