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
type ToolResult =
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

type Asking = Pick<Message, 'parts' | 'extensions'>;
type Answering = Pick<Message, 'parts'>;

/** The tool call that a message asks for; the first one, where there are several. */
export function toolUseOf(message: Asking): ToolUse | undefined {
  return toolUsesOf(message)[0];
}

/** The tool calls that a message asks for: under the extension, or as parts of the kind `tool-use`. */
export function toolUsesOf(message: Asking): readonly ToolUse[] {
  const isExtension = message.extensions?.includes(TOOLS_EXTENSION) === true;
  return objectsOf(message).flatMap((data) => {
    const hasKind = data.kind === 'tool-use';
    const toolUseId = data.toolUseId ?? data.id;
    if (!(isExtension || hasKind) || typeof toolUseId !== 'string' || typeof data.name !== 'string') return [];
    return [{ toolUseId, name: data.name, args: (data.args ?? data.input ?? {}) as JsonValue, hasKind }];
  });
}

/** The result that a message brings; the one for this use if there are several. */
export function toolResultOf(message: Answering, wanted: string): ToolResult | undefined {
  const named = namedResults(message).find(({ id }) => id === wanted);
  if (!named) return undefined;
  const { result, error } = named;
  if (error !== undefined && error !== null) return { toolUseId: wanted, error: textOfError(error) };
  return { toolUseId: wanted, result: (result ?? null) as JsonValue };
}

/** True where a message carries a tool's result, whichever call it belongs to. */
export function hasToolResult(message: Answering): boolean {
  return objectsOf(message).some(({ toolUseId }) => typeof toolUseId === 'string');
}

/** True where a part of the message declares itself a tool's result (seed S0.7). */
export function bringsToolResult(message: Answering): boolean {
  return objectsOf(message).some(({ kind, toolUseId }) => kind === 'tool-result' && typeof toolUseId === 'string');
}

/** A result with the id of the call or question that it is for. */
interface NamedResult {
  readonly id: string;
  /** The member that has the id. */
  readonly by: 'toolUseId' | 'requestId';
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The results in a message. The id may be called `requestId` as well, where the part has nothing but a result or an error. */
export function namedResults(message: Answering): readonly NamedResult[] {
  return objectsOf(message).flatMap((data): readonly NamedResult[] => {
    const { toolUseId, requestId, result, error } = data;
    if (typeof toolUseId === 'string') return [{ id: toolUseId, by: 'toolUseId', result, error }];
    const isAlone = Object.keys(data).every((name) => RESULT_MEMBERS.has(name));
    return typeof requestId === 'string' && isAlone ? [{ id: requestId, by: 'requestId', result, error }] : [];
  });
}

const RESULT_MEMBERS: ReadonlySet<string> = new Set(['kind', 'requestId', 'result', 'error']);

function objectsOf(message: Answering): readonly Record<string, unknown>[] {
  return message.parts.flatMap((part) => (part.kind === 'data' && isPlainObject(part.data) ? [part.data] : []));
}

function textOfError(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isPlainObject(error) && typeof error.message === 'string') return error.message;
  return JSON.stringify(error);
}
