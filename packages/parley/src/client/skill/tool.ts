import { type AgentCard, type AgentSkill, exampleInput } from '../../model/card.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import { isTask } from '../../model/task.ts';
import type { SendOptions } from '../options.ts';
import { notCompleted } from '../stream/sending.ts';
import { endOfTurn, type TaskCaller, useAgent } from './canceling.ts';
import { type ModelOutput, modelOutputOf } from './model-output.ts';
import { TOOL_AGENT, type ToolAgent } from './tool-agent.ts';
import { INPUT_SCHEMA, PARAMETERS, type ToolInput, type ToolInputSchema, type ToolParameters } from './tool-input.ts';
import { type ToolFile, type ToolFiles, type ToolOutput, toolOutputOf } from './tool-result.ts';

export type { ModelOutput, ToolFile, ToolFiles, ToolInput, ToolInputSchema, ToolOutput, ToolParameters };

export interface ToolOptions {
  /** The name of the tool. Default: that of the agent. */
  readonly name?: string | undefined;
  /** The description of the tool, for the model. Default: the description of the agent. */
  readonly description?: string | undefined;
  /** Milliseconds for one use; then the client cancels the task. */
  readonly timeout?: number | undefined;
  /**
   * The handling of files that are not text. `describe` tells the model their name, type and size. `inline` passes them
   * on, for providers that take files in results of tools. Default `describe`.
   */
  readonly files?: ToolFiles | undefined;
}

/** Ends a use of a tool and cancels its task; libraries call it by either name. */
interface ToolUseOptions {
  readonly signal?: AbortSignal | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** An agent, or one of its skills, as tool libraries have them. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: ToolParameters;
  /** The same as a schema that checks: what the AI SDK takes. */
  readonly inputSchema: ToolInputSchema;
  /** Never throws: what goes wrong is in the output. */
  readonly execute: (input: ToolInput, options?: ToolUseOptions) => Promise<ToolOutput>;
  /** The output as the AI SDK hands it to a model: text, data and files, or the error. */
  readonly toModelOutput: (use: { readonly output: ToolOutput }) => ModelOutput;
}

const UNKNOWN = { name: 'agent', description: 'Remote A2A agent' };

/** A tool that can be used at once, and awaited: it then has the name and the description of the agent's card. */
export type PendingTool = AgentTool & PromiseLike<AgentTool>;

export function toolOf(agent: TaskCaller, options: ToolOptions, parameters: ToolParameters = PARAMETERS): PendingTool {
  const card = new ToolCard(agent);
  const then: PromiseLike<AgentTool>['then'] = (onNamed, onFailed) =>
    card
      .fetched()
      .then(() => namedTool(agent, card, options, parameters))
      .then(onNamed, onFailed);
  // Not enumerable: copies of a tool are plain ones.
  return Object.defineProperty(namedTool(agent, card, options, parameters), 'then', { value: then }) as PendingTool;
}

/** The agent of a client as a tool of a language model: `client.asTool()` of the client of `parley-a2a`. */
export function asTool(client: TaskCaller, options: ToolOptions = {}): PendingTool {
  return toolOf(client, options);
}

function namedTool(agent: TaskCaller, card: ToolCard, options: ToolOptions, parameters: ToolParameters): AgentTool {
  return {
    // Read when they are wanted: a client that has not connected yet does not know its card.
    get name() {
      return options.name ?? toolName(card.known()?.name ?? UNKNOWN.name);
    },
    get description() {
      return options.description ?? (card.known()?.description || UNKNOWN.description);
    },
    parameters,
    inputSchema: INPUT_SCHEMA,
    ...usesOf(agent, options),
  };
}

function usesOf(
  agent: TaskCaller,
  { timeout, files = 'describe' }: ToolOptions,
  skill?: string,
): Pick<AgentTool, 'execute' | 'toModelOutput'> {
  return {
    execute: (input, more) =>
      execute(agent, input, { timeout, skill, signal: more?.signal ?? more?.abortSignal }, files),
    toModelOutput: ({ output }) => modelOutputOf(output),
    ...({ [TOOL_AGENT]: { agent, skill, timeout, files } } satisfies { readonly [TOOL_AGENT]: ToolAgent }),
  };
}

/** The card of an agent whose tool is looked at: asking for it fetches it. That it fails shows when the tool is used. */
class ToolCard {
  readonly #agent: TaskCaller;
  #fetching: Promise<void> | undefined;

  constructor(agent: TaskCaller) {
    this.#agent = agent;
  }

  known(): AgentCard | undefined {
    if (!this.#agent.card) void this.fetched();
    return this.#agent.card;
  }

  fetched(): Promise<void> {
    this.#fetching ??= this.#fetch();
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    await this.#agent.agentCard().catch(() => {});
    if (!this.#agent.card) this.#fetching = undefined;
  }
}

/**
 * Each skill of a client's agent as a tool, by the tool's name: `client.skillTools()` of the client of `parley-a2a`.
 */
export async function skillTools(agent: TaskCaller, options: ToolOptions = {}): Promise<Record<string, AgentTool>> {
  const card = await agent.agentCard();
  const tools = new Map<string, AgentTool>();
  for (const skill of card.skills) {
    const name = unusedName(toolName(`${options.name ?? card.name}_${skill.id}`), tools);
    tools.set(name, {
      name,
      description: options.description ? `${options.description} ${describe(skill)}` : describe(skill),
      parameters: PARAMETERS,
      inputSchema: INPUT_SCHEMA,
      ...usesOf(agent, options, skill.id),
    });
  }
  return Object.fromEntries(tools);
}

/** Language models make the input, so it may be anything. */
async function execute(
  agent: TaskCaller,
  input: ToolInput | undefined,
  options: SendOptions,
  files: ToolFiles,
): Promise<ToolOutput> {
  try {
    if (typeof input?.task !== 'string')
      return { output: '', success: false, error: 'The input must have a text, task' };
    const use = await useAgent(agent, input.task, options);
    try {
      const result = await endOfTurn(use);
      if (isTask(result) && result.status.state !== 'completed') throw notCompleted(result);
      return toolOutputOf(result, files);
    } finally {
      use.release();
    }
  } catch (error) {
    return { output: '', success: false, error: textOfThrown(error) };
  }
}

function describe({ name, description, examples }: AgentSkill): string {
  const shown =
    examples && examples.length > 0 ? ` For example: ${examples.slice(0, 3).map(exampleInput).join('; ')}` : '';
  return `${description || name}${shown}`;
}

const LONGEST_NAME = 64;

/** Language models take letters, digits, `_` and `-`, and at most 64 of them. */
function toolName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
  return name.slice(0, LONGEST_NAME) || UNKNOWN.name;
}

/** Ids of skills that differ may make the same name. */
function unusedName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const ending = `_${number}`;
    const other = name.slice(0, LONGEST_NAME - ending.length) + ending;
    if (!taken.has(other)) return other;
  }
}
