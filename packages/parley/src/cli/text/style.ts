import type { Output, Surroundings } from '../surroundings.ts';

const CODES = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  strike: 9,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
} as const;

export type StyleName = keyof typeof CODES;

/** Puts text into styles, or leaves it as it is if there are none. */
export interface Style {
  readonly colors: boolean;
  /** The text in these styles. */
  readonly apply: (text: string, ...names: readonly StyleName[]) => string;
}

export const PLAIN: Style = { colors: false, apply: (text) => text };

export const COLORED: Style = {
  colors: true,
  apply: (text, ...names) =>
    text === '' || names.length === 0 ? text : `\u001b[${names.map((name) => CODES[name]).join(';')}m${text}\u001b[0m`,
};

/** True where a stream is shown to a person rather than read by a program. */
export function isShown(output: Output, env: Surroundings['env']): boolean {
  return output.isTTY === true || isForced(env);
}

/** NO_COLOR and FORCE_COLOR as their conventions have them. */
export function styleOf(output: Output, env: Surroundings['env']): Style {
  if (isForced(env)) return COLORED;
  const isWanted = !env.NO_COLOR && env.FORCE_COLOR !== '0' && env.TERM !== 'dumb';
  return output.isTTY && isWanted ? COLORED : PLAIN;
}

function isForced({ FORCE_COLOR }: Surroundings['env']): boolean {
  return FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
}

const DEFAULT_COLUMNS = 80;

export function columnsOf(output: Output): number {
  return output.columns && output.columns > 0 ? output.columns : DEFAULT_COLUMNS;
}
