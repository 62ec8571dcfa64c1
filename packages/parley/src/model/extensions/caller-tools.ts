import { isPlainObject, type JsonObject, type JsonValue } from '../basics/json.ts';
import type { Message } from '../task.ts';

/**
 * Tools that the caller runs. A send declares them in its metadata, or its message's, under this URI:
 * `{ tools: [{ name, description, inputSchema }] }`. The agent asks for one with a data part
 * `{ toolUseId, name, args }` in the message of an input-required status that names the extension; the answer is a data
 * part `{ toolUseId, result }` or `{ toolUseId, error }`.
 */
export const TOOLS_EXTENSION = 'urn:parley:ext:tools:v1';

/** A tool as a caller declares it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema?: JsonObject | undefined;
  /** JSON Schema of the result. */
  readonly outputSchema?: JsonObject | undefined;
}

/** A tool call that an agent asks its caller to make. */
export interface ToolUse {
  readonly toolUseId: string;
  readonly name: string;
  readonly args: JsonValue;
  /** It came as a part `tool-use`, and the answer is to be a part `tool-result`. */
  readonly hasKind: boolean;
}

/** The result of a tool call, or its failure. */
export type ToolResult =
  | { readonly toolUseId: string; readonly result: JsonValue }
  | { readonly toolUseId: string; readonly error: string };

/** The tools that metadata declares; what makes no sense is left out. */
export function declaredTools(metadata: JsonObject | undefined): readonly ToolDeclaration[] | undefined {
  const value = metadata?.[TOOLS_EXTENSION];
  const tools = isPlainObject(value) ? value.tools : value;
  if (!Array.isArray(tools)) return undefined;
  return tools.filter(isPlainObject).flatMap(({ name, description, inputSchema, outputSchema }) => {
    if (typeof name !== 'string' || name === '') return [];
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        ...(isPlainObject(inputSchema) && { inputSchema: inputSchema as JsonObject }),
        ...(isPlainObject(outputSchema) && { outputSchema: outputSchema as JsonObject }),
      },
    ];
  });
}

/** The tool call that a message asks for: under the extension, or as a part of the kind `tool-use`. */
export function toolUseOf(message: Message): ToolUse | undefined {
  const isExtension = message.extensions?.includes(TOOLS_EXTENSION) === true;
  for (const data of objectsOf(message)) {
    const hasKind = data.kind === 'tool-use';
    if (!isExtension && !hasKind) continue;
    const toolUseId = data.toolUseId ?? data.id;
    if (typeof toolUseId !== 'string' || typeof data.name !== 'string') continue;
    return { toolUseId, name: data.name, args: (data.args ?? data.input ?? {}) as JsonValue, hasKind };
  }
  return undefined;
}

/** The result that a message brings; the one for this use if there are several. */
export function toolResultOf(message: Message, wanted: string): ToolResult | undefined {
  for (const { toolUseId, result, error } of objectsOf(message)) {
    if (toolUseId !== wanted) continue;
    if (error !== undefined && error !== null) return { toolUseId: wanted, error: textOfError(error) };
    return { toolUseId: wanted, result: (result ?? null) as JsonValue };
  }
  return undefined;
}

/** True where a message carries a tool's result, whichever call it belongs to. */
export function hasToolResult(message: Message): boolean {
  return objectsOf(message).some(({ toolUseId }) => typeof toolUseId === 'string');
}

/** True where a part of the message declares itself a tool's result (seed S0.7). */
export function bringsToolResult(message: Message): boolean {
  return objectsOf(message).some(({ kind, toolUseId }) => kind === 'tool-result' && typeof toolUseId === 'string');
}

function objectsOf(message: Message): readonly Record<string, unknown>[] {
  return message.parts.flatMap((part) => (part.kind === 'data' && isPlainObject(part.data) ? [part.data] : []));
}

function textOfError(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isPlainObject(error) && typeof error.message === 'string') return error.message;
  return JSON.stringify(error);
}
