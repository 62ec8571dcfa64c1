import type { MessageDraft, RunHandle } from '../../engine/turn/runner.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { InputError } from '../../model/errors/input-error.ts';
import {
  declaredTools,
  hasToolResult,
  TOOLS_EXTENSION,
  type ToolDeclaration,
  toolResultOf,
} from '../../model/extensions/caller-tools.ts';
import { textOf } from '../../model/parts.ts';
import type { SchemaSource } from '../../model/schema/schema-check.ts';
import { fitting } from '../../model/schema/schema-problems.ts';
import type { Message } from '../../model/task.ts';
import { checkedPart } from '../run/outputs.ts';
import { withProblem } from './question-prompt.ts';
import { checkedTimeout } from './questions.ts';

export interface ToolCallOptions {
  /** Milliseconds to wait for the caller; then the call fails with INPUT_TIMEOUT. */
  readonly timeout?: number | undefined;
}

export interface CheckedToolCallOptions<Schema extends SchemaSource> extends ToolCallOptions {
  /** The schema that the result must match. */
  readonly schema: Schema;
}

/** The tools that the caller of this turn has declared. */
export function toolsOf({ message, request }: RunHandle): readonly ToolDeclaration[] {
  return declaredTools(message.metadata) ?? declaredTools(request.metadata) ?? [];
}

const ATTEMPTS = 3;

/** Has the caller run one of its tools. */
export async function callTool(
  handle: RunHandle,
  name: string,
  args: unknown,
  { timeout, schema }: ToolCallOptions & { readonly schema?: SchemaSource | undefined },
): Promise<unknown> {
  requireDeclared(handle, name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const toolUseId = handle.newId('tool');
    const draft = toolDraft(toolUseId, name, args);
    const parts = attempt === 1 ? draft.parts : withProblem(draft.parts, 'it is the result of another call');
    const message = await handle.questions.ask({ ...draft, parts }, 'input-required', {
      id: toolUseId,
      timeout: checkedTimeout(timeout),
      isFresh: true,
    });
    const outcome = resultOf(message, toolUseId);
    if (!outcome) continue;
    if ('error' in outcome) throw new InputError('TOOL_FAILED', `The tool "${name}" failed: ${outcome.error}`);
    if (!schema) return outcome.result;
    const checked = await fitting(schema, outcome.result, 'result');
    if (checked.isValid) return checked.value;
    throw new InputError('TOOL_FAILED', `The tool "${name}" gave something else than expected: ${checked.problem}`);
  }
  throw new InputError('TOOL_FAILED', `The tool "${name}" was answered with results for other calls`);
}

/** A caller that cannot declare tools is asked for any; one that has declared some is held to them. */
function requireDeclared(handle: RunHandle, name: string): void {
  const tools = toolsOf(handle);
  if (tools.some((tool) => tool.name === name)) return;
  if (tools.length === 0 && handle.request.toolsUndeclared) return;
  const known = tools.map((tool) => tool.name).join(', ');
  const declared = known ? `It has declared: ${known}` : 'It has declared none';
  throw new InputError('TOOL_NOT_DECLARED', `The caller has not declared a tool "${name}". ${declared}`);
}

function toolDraft(toolUseId: string, name: string, args: unknown): MessageDraft {
  const data = checkedPart({ kind: 'data', data: { toolUseId, name, args: args ?? {} } });
  const shown = JSON.stringify(args ?? {});
  const text = `Please run the tool "${name}" with ${shown} and answer with its result.`;
  return { parts: [{ kind: 'text', text }, data], extensions: [TOOLS_EXTENSION] };
}

/** Undefined where the message brings the result of another call. */
function resultOf(message: Message, toolUseId: string): { result: JsonValue } | { error: string } | undefined {
  const result = toolResultOf(message, toolUseId);
  if (result) return result;
  if (hasToolResult(message)) return undefined;
  const data = message.parts.find((part) => part.kind === 'data');
  if (data) return { result: data.data };
  const text = textOf(message);
  try {
    return { result: JSON.parse(text) as JsonValue };
  } catch {
    return { result: text };
  }
}
