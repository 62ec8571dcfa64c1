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
export const WRITERS = writersOf({ encodeMessage, encodeStatusMessage, encodeArtifact, isFinal: isTerminal });
