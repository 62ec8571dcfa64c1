import { flag, text } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** The page for those who run the server. */
export const CONSOLE_SETTINGS: readonly Setting[] = [
  {
    name: 'console',
    kind: flag,
    flag: 'console',
    offFlag: 'no-console',
    about: 'The console at /console, for operators; on without it where no other machine reaches the server',
  },
  {
    name: 'console.tracingUrl',
    kind: text,
    about: 'Where the console shows traces, with {traceId} in the place of the id',
  },
];
