import { ERRORS } from './errors.ts';
import { PARTS } from './parts.ts';
import { PUSH } from './push.ts';
import type { Scenario } from './scenario.ts';
import { STREAMS } from './streams.ts';
import { TASKS } from './tasks.ts';

/** The rows of the matrix. */
export const SCENARIOS: readonly Scenario[] = [...TASKS, ...STREAMS, ...PARTS, ...PUSH, ...ERRORS];
