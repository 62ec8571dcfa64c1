import type { JsonObject, JsonValue } from '../../model/basics/json.ts';
import type { ToolDeclaration } from '../../model/extensions/caller-tools.ts';
import type { Choice } from '../../model/extensions/questions.ts';
import type { SchemaSource, SourceOutput } from '../../model/schema/schema-check.ts';
import { schemaOf } from '../../model/schema/schema-check.ts';
import { jsonSchemaIfKnown } from '../../model/schema/schema-problems.ts';
import { isStandardSchema } from '../../model/schema/standard-schema.ts';
import type { Message } from '../../model/task.ts';
import type { MessageInput } from '../message/content.ts';

/** The circumstances of a tool's call, beside the arguments. */
export interface ToolCallContext {
  readonly taskId: string;
  readonly toolUseId: string;
  /** Aborted when the result is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Something that the agent may ask its caller to run. */
export interface CallerTool<Args = unknown> {
  /** For the agent, or its model: what it does and when to use it. */
  readonly description: string;
  /** JSON Schema of the arguments, or a schema that they are checked by. */
  readonly parameters?: JsonObject | SchemaSource | undefined;
  /** JSON Schema of the result, or a schema that has one. */
  readonly result?: JsonObject | SchemaSource | undefined;
  /** Returns JSON. An error that it throws goes to the agent as one. */
  execute(args: Args, context: ToolCallContext): unknown;
}

/** Tools by their names. */
// biome-ignore lint/suspicious/noExplicitAny: what the arguments are is up to each tool
export type CallerTools = Readonly<Record<string, CallerTool<any>>>;

/** A question of an agent. */
export interface InputQuestion {
  /** The question, without the list of choices. */
  readonly prompt: string;
  /** All of it, as people read it. */
  readonly text: string;
  /** The question's name, where it has one. */
  readonly id: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject | undefined;
  /** The answer is a secret. */
  readonly sensitive: boolean;
  readonly timeoutSeconds: number | undefined;
  /** Why the answer before was not taken. */
  readonly problem: string | undefined;
  /** A tool that the agent wants to have run and that is not in `tools`. */
  readonly tool: { readonly name: string; readonly args: JsonValue } | undefined;
  /** A tool call of the agent's own that the answer allows or refuses. */
  readonly approves: { readonly name: string; readonly args: JsonValue } | undefined;
  readonly taskId: string;
  readonly contextId: string;
  /** The agent's own message. */
  readonly message: Message | undefined;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** A text, a value, or a message; undefined leaves the question open. */
export type InputAnswer = JsonValue | MessageInput | undefined;

export type OnInput = (question: InputQuestion) => InputAnswer | Promise<InputAnswer>;

/** Answers to an agent's questions. Without an answer the stream ends there, and the task waits. */
export interface InputHandlers {
  /** Tools that the agent may use; they run here. */
  readonly tools?: CallerTools | undefined;
  /** Answers the agent's questions. */
  readonly onInput?: OnInput | undefined;
}

/** A tool whose arguments have the type of their schema. */
export function callerTool<const Source extends SchemaSource>(
  tool: Omit<CallerTool<SourceOutput<Source>>, 'parameters'> & { readonly parameters: Source },
): CallerTool<SourceOutput<Source>> {
  return tool;
}

/** Undefined if nothing can answer. */
export function handlersOf(client: InputHandlers, call: InputHandlers): InputHandlers | undefined {
  const tools = { ...client.tools, ...call.tools };
  const onInput = call.onInput ?? client.onInput;
  return onInput || Object.keys(tools).length > 0 ? { tools, onInput } : undefined;
}

export function declarationsOf(tools: CallerTools): readonly ToolDeclaration[] {
  return Object.entries(tools).map(([name, { description, parameters, result }]) => {
    const inputSchema = describe(parameters, 'input');
    const outputSchema = describe(result, 'output');
    return { name, description, ...(inputSchema && { inputSchema }), ...(outputSchema && { outputSchema }) };
  });
}

/** The schema that checks, where it is more than a description. */
export function checkerOf(schema: CallerTool['parameters']): SchemaSource | undefined {
  if (schema === undefined) return undefined;
  if (isStandardSchema(schema)) return schema;
  return isStandardSchema(schemaOf(schema as SchemaSource)) ? (schema as SchemaSource) : undefined;
}

function describe(schema: CallerTool['parameters'], side: 'input' | 'output'): JsonObject | undefined {
  const checker = checkerOf(schema);
  return checker ? jsonSchemaIfKnown(checker, side) : (schema as JsonObject | undefined);
}
