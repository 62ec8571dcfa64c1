import type { JsonObject } from '../../../model/basics/json.ts';
import { TRACE_EXTENSION, traceIdsOf } from '../../../model/extensions/trace.ts';
import { isTerminal } from '../../../model/states.ts';
import { withAliases } from '../../wire/values/enums.ts';
import { TASK_STATES } from '../enums.ts';
import { readersOf } from '../task/readers.ts';
import { writersOf } from '../task/writers.ts';
import { encodeMessage, encodeStatusMessage, readReceivedMessage } from './messages.ts';
import { encodeArtifact, readPart } from './parts.ts';

/** An older document of the same system calls a new task `started` (seed S0.21). */
const STATES = withAliases(TASK_STATES, [['started', 'submitted']]);

export const READERS = readersOf({ readPart, readMessage: readReceivedMessage, states: STATES });

/** A stream goes on while the client is asked, so only the end is final (seed S0.7). */
export const WRITERS = writersOf({
  encodeMessage,
  encodeStatusMessage,
  encodeArtifact,
  encodeMetadata: withPlainTrace,
  isFinal: isTerminal,
});

/** Trace and span are members of their own (seed S0.15). */
function withPlainTrace(metadata: JsonObject): JsonObject {
  const ids = traceIdsOf(metadata);
  if (!ids) return metadata;
  const { [TRACE_EXTENSION]: _, ...others } = metadata;
  return { ...others, ...ids };
}
