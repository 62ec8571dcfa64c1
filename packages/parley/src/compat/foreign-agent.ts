import type { Agent } from '../agent/agent.ts';
import { defineAgent } from '../agent/define.ts';
import { complete, inputRequired, type Outcome } from '../agent/outcomes.ts';
import { agentResult } from '../agent/result.ts';
import { chunk, type TaskContext } from '../agent/task-context.ts';
import { cogitator as dialect } from '../dialects/cogitator.ts';
import { isPlainObject, type JsonObject, type JsonValue } from '../model/basics/json.ts';
import type { AgentCard } from '../model/card.ts';
import type { SkillDefinition } from '../model/extensions/skills.ts';
import { jsonSchemaIfKnown } from '../model/schema/schema-problems.ts';
import { isStandardSchema } from '../model/schema/standard-schema.ts';
import { describeAgentIn } from '../server/cards/described-cards.ts';

/** A tool of another framework, as far as a card needs it. */
export interface ITool {
  readonly name: string;
  readonly description?: string | undefined;
  /** A schema of Zod or of any library with Standard Schema, or JSON Schema itself. */
  readonly parameters?: unknown;
}

/** An agent of another framework, which `cogitator` runs (S3.2). */
export interface IAgent {
  readonly name: string;
  readonly config?: { readonly description?: string | undefined } | undefined;
  readonly tools?: readonly ITool[] | undefined;
}

/** The result of a run of such an agent. */
export interface CogitatorRunResult {
  readonly output: string;
  readonly structured?: unknown;
  readonly toolCalls?: readonly unknown[] | undefined;
  readonly usage?: object | undefined;
}

/** Options that Parley passes to `run` of Cogitator, an agent runtime in TypeScript. */
export interface CogitatorRunOptions {
  /** The text of the message. */
  readonly input: string;
  /** Aborts when a client cancels the task. */
  readonly signal: AbortSignal;
  /** Always true: Parley reads tokens as they come. */
  readonly stream: boolean;
  /** Called with each token as it comes. */
  readonly onToken: (token: string) => void;
}

/** The members of a task that such a run needs. */
export type ForeignTask = Pick<TaskContext, 'text' | 'parts' | 'signal' | 'write'>;

/** Runs agents. Method syntax, so that runtimes whose agents have more members than ours fit. */
export interface Cogitator {
  run(agent: IAgent, options: CogitatorRunOptions): Promise<CogitatorRunResult>;
}

export function isOurAgent(agent: Agent | IAgent): agent is Agent {
  return 'run' in agent && typeof agent.run === 'function' && 'skills' in agent && Array.isArray(agent.skills);
}

/** An agent of another framework as one that a server can host. */
export function fromForeignAgent(agent: IAgent, cogitator: Cogitator): Agent {
  const description = agent.config?.description || agent.name;
  const skills = skillsOfTools(agent.tools ?? []);
  const definition = defineAgent({
    name: 'agent',
    description,
    version: '1.0.0',
    // The official cards list at least one.
    skills: skills.length > 0 ? skills : [{ id: 'agent', name: agent.name, description, tags: ['general'] }],
    run: (task) => runForeignAgent(agent, cogitator, task),
  });
  // The name on the card may be any text; in the address it is the server's name for the agent.
  const hosted = { ...definition, name: agent.name };
  describeAgentIn(dialect, hosted, (url) => cardOfForeignAgent(agent, url));
  return hosted;
}

/** The card of such an agent, whose tools are its skills. */
export function cardOfForeignAgent(agent: IAgent, url: string): AgentCard {
  return {
    name: agent.name,
    description: agent.config?.description ?? '',
    version: '',
    interfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: skillsOfTools(agent.tools ?? []),
  };
}

/**
 * One turn of such an agent: tokens are streamed as they come, the output is the text of the result and the last word
 * of the talk, structured data is an artifact of its own, tool calls stand in the task's metadata (S3.8).
 */
export async function runForeignAgent(agent: IAgent, cogitator: Cogitator, task: ForeignTask): Promise<Outcome> {
  let streamed = '';
  let written: Promise<void> = Promise.resolve();
  const onToken = (token: string) => {
    streamed += token;
    written = written.then(() => task.write(token));
    // The wait below reports a failed write; a run that fails for another reason does not wait.
    written.catch(() => undefined);
  };
  const result = await cogitator.run(agent, { input: inputOf(task), signal: task.signal, stream: true, onToken });
  await written;
  return finishRun(result, task, streamed);
}

/** Writes a run's result as outputs of the task. `streamed` is the text that readers have seen already. */
export async function finishRun(
  result: CogitatorRunResult,
  task: Pick<ForeignTask, 'write'>,
  streamed = '',
): Promise<Outcome> {
  const output = result.output ?? '';
  if (streamed === '' && output !== '') await task.write(output);
  else if (output !== '' && streamed !== output) await task.write(chunk(output, { append: false }));
  const { structured, toolCalls, usage } = result;
  const calls = toolCalls && toolCalls.length > 0 ? (plainJson(toolCalls) as readonly unknown[]) : undefined;
  if (structured != null || calls || usage) {
    const data = structured == null ? undefined : (plainJson(structured) as JsonValue);
    await task.write(agentResult({ data, toolCalls: calls, usage: usage && (plainJson(usage) as object) }));
  }
  if ('requiresInput' in result && result.requiresInput === true)
    return inputRequired(output || 'More input is needed');
  return complete(output || undefined);
}

/** Tools as skills; what they take is JSON Schema (S3.4). */
function skillsOfTools(tools: readonly ITool[]): readonly SkillDefinition[] {
  return tools.map(({ name, description, parameters }) => {
    const inputSchema = jsonSchemaOfParameters(parameters);
    return {
      id: name,
      name,
      description: description || name,
      tags: ['tool'],
      inputModes: inputSchema ? ['text/plain', 'application/json'] : ['text/plain'],
      outputModes: ['text/plain', 'application/json'],
      ...(inputSchema && { inputSchema }),
    };
  });
}

function jsonSchemaOfParameters(parameters: unknown): JsonObject | undefined {
  if (isStandardSchema(parameters)) return jsonSchemaIfKnown(parameters, 'input');
  const isSchema = isPlainObject(parameters) && ('type' in parameters || 'properties' in parameters);
  return isSchema ? (plainJson(parameters) as JsonObject) : undefined;
}

/** The text of the message; data comes as JSON after it. */
function inputOf({ text, parts }: ForeignTask): string {
  const data = parts.flatMap((part) => (part.kind === 'data' ? [JSON.stringify(part.data)] : []));
  return [text, ...data].filter((piece) => piece !== '').join('\n');
}

function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}
