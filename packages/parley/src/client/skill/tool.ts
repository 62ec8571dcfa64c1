import { type AgentCard, type AgentSkill, exampleInput } from '../../model/card.ts';
import type { Content } from '../message/content.ts';
import type { SendOptions } from '../options.ts';
import { INPUT_SCHEMA, PARAMETERS, type ToolInput, type ToolInputSchema, type ToolParameters } from './tool-input.ts';

export type { ToolInput, ToolInputSchema, ToolParameters };

export interface ToolOptions {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Milliseconds for one use. */
  readonly timeout?: number | undefined;
}

export interface ToolOutput {
  readonly output: string;
  readonly success: boolean;
  readonly error?: string | undefined;
}

/** Ends a use of a tool; libraries call it by either name. */
export interface ToolUseOptions {
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
}

const UNKNOWN = { name: 'agent', description: 'Remote A2A agent' };

/** A tool that can be used at once, and awaited: it then has the name and the description of the agent's card. */
export type PendingTool = AgentTool & PromiseLike<AgentTool>;

/** The client as a tool needs it. */
export interface Runner {
  readonly card: AgentCard | undefined;
  agentCard(): Promise<AgentCard>;
  run(content: Content, options?: SendOptions): Promise<string>;
}

export function toolOf(agent: Runner, options: ToolOptions, parameters: ToolParameters = PARAMETERS): PendingTool {
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
export function asTool(client: Runner, options: ToolOptions = {}): PendingTool {
  return toolOf(client, options);
}

function namedTool(agent: Runner, card: ToolCard, options: ToolOptions, parameters: ToolParameters): AgentTool {
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
    execute: (input, more) => execute(agent, input, { timeout: options.timeout, signal: signalOf(more) }),
  };
}

/** The card of an agent whose tool is looked at: asking for it fetches it. That it fails shows when the tool is used. */
class ToolCard {
  readonly #agent: Runner;
  #fetching: Promise<void> | undefined;

  constructor(agent: Runner) {
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

/** Each skill of a client's agent as a tool: `client.skillTools()` of the client of `parley-a2a`. */
export async function skillTools(agent: Runner, options: ToolOptions = {}): Promise<AgentTool[]> {
  const card = await agent.agentCard();
  return card.skills.map((skill) => ({
    name: toolName(`${options.name ?? card.name}_${skill.id}`),
    description: options.description ? `${options.description} ${describe(skill)}` : describe(skill),
    parameters: PARAMETERS,
    inputSchema: INPUT_SCHEMA,
    execute: (input, more) =>
      execute(agent, input, { timeout: options.timeout, signal: signalOf(more), skill: skill.id }),
  }));
}

function signalOf(options: ToolUseOptions | undefined): AbortSignal | undefined {
  return options?.signal ?? options?.abortSignal;
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
