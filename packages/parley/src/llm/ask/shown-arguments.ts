import type { JsonValue } from '../../model/basics/json.ts';
import type { LlmLimits } from '../limits.ts';
import type { ToolCall, ToolOutcome } from '../loop/records.ts';
import { errorOutcome } from '../tools/tool-outcome.ts';

export function shownArguments(input: JsonValue): string {
  return JSON.stringify(input ?? {});
}

/** Arguments that are too long to be shown to the caller: the model is told so, and may try again with less. */
export function argumentsTooLong(
  { toolName, input }: ToolCall,
  { askedArguments }: LlmLimits,
): ToolOutcome | undefined {
  const { length } = shownArguments(input);
  if (length <= askedArguments) return undefined;
  const most = `${askedArguments} characters (limits.askedArguments)`;
  return errorOutcome(`Not carried out: the caller of "${toolName}" can be shown arguments of ${most}, not ${length}`);
}
