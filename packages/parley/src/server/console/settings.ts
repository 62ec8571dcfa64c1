import { anything, members, requireRight } from '../../model/options/checks.ts';

/** The console of a server: a page for operators. */
export interface ConsoleOptions {
  /** Address of a trace in your tracing system, with `{traceId}` for the id. Tasks link to it. Default: no links. */
  readonly tracingUrl?: string | undefined;
}

/** `true` for the console at `/console`, with the usual options. */
export type ConsoleSetting = boolean | ConsoleOptions;

const TRACE_ID = '{traceId}';
const check = members<ConsoleOptions>({ tracingUrl: anything });

/** Reads the setting; undefined where the console is off. Throws a TypeError that names what is wrong. */
export function readConsole(setting: ConsoleSetting | undefined): ConsoleOptions | undefined {
  if (setting === undefined || setting === false) return undefined;
  if (setting === true) return {};
  if (typeof setting !== 'object' || setting === null) {
    throw new TypeError(`console must be true, false or an object, not ${JSON.stringify(setting)}`);
  }
  requireRight('', check(setting, 'console'));
  const { tracingUrl } = setting;
  if (tracingUrl !== undefined) requireTracingUrl(tracingUrl);
  return { tracingUrl };
}

/** The page makes links of it: nothing but an address of the web may be one. */
function requireTracingUrl(text: unknown): void {
  const url = typeof text === 'string' ? URL.parse(text.replace(TRACE_ID, '0')) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (isWeb && String(text).includes(TRACE_ID)) return;
  throw new TypeError(
    `console.tracingUrl must be an address with ${TRACE_ID} in it, e.g. https://traces.example.com/${TRACE_ID}`,
  );
}
