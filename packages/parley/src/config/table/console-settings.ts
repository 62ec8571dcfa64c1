import { flag, text } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** The page for those who run the server. */
export const CONSOLE_SETTINGS: readonly Setting[] = [
  {
    name: 'console',
    kind: flag,
    flag: 'console',
    offFlag: 'no-console',
    about: 'Serves the console at /console, to operators; by default on if no other machine reaches the server',
  },
  {
    name: 'console.tracingUrl',
    kind: text,
    about: 'The address of a trace in your tracing system, with {traceId} for the id',
  },
];
