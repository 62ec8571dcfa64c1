import type { SendInput } from '../../model/operations.ts';
import type { WireValue } from '../dialect.ts';

/**
 * The parameters of a send as all official versions write them. `own`: the members of `configuration` that a version
 * names in its own way. What was not asked for is undefined, and `configuration` too where nothing in it was.
 */
export function encodeSendParams(
  { acceptedOutputModes, historyLength, metadata }: SendInput,
  message: WireValue,
  own: Readonly<Record<string, WireValue>>,
): object {
  const modes = acceptedOutputModes.length > 0 ? acceptedOutputModes : undefined;
  const configuration = { acceptedOutputModes: modes, historyLength, ...own };
  const isAsked = Object.values(configuration).some((value) => value !== undefined);
  return { message, configuration: isAsked ? configuration : undefined, metadata };
}
