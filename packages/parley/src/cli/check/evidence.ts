import type { Exchange } from '../../check/wire/exchange.ts';
import { withoutSecrets } from '../show/given-secrets.ts';
import { cleanLine } from '../text/clean.ts';

/** The longest body, header or address that is shown. */
const LONGEST = 600;
const LONGEST_HEADER = 200;
const MOST_HEADERS = 12;

/** Headers that say nothing about a rule. */
const DULL: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
/** Headers whose values are not shown whatever they are. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'set-cookie',
]);

/** An exchange as it may be shown: bounded, without secrets and without what a terminal would obey. */
export interface Evidence {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

export function evidenceOf({ sent, got, trouble }: Exchange, secrets: readonly string[]): Evidence {
  const show = (text: string, longest = LONGEST) => shortened(cleanLine(withoutSecrets(text, secrets)), longest);
  const headerLines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .filter(([name]) => !DULL.has(name))
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => show(`${name}: ${SECRET.has(name) ? '***' : value}`, LONGEST_HEADER));
  const bodyLines = (text: string | undefined) => (text ? [show(text)] : []);
  return {
    sent: [show(`${sent.method} ${sent.url}`), ...headerLines(sent.headers), ...bodyLines(sent.body)],
    received: [
      ...(got ? [`HTTP ${got.status}`, ...headerLines(got.headers), ...bodyLines(got.text)] : []),
      ...(trouble ? [show(trouble)] : []),
    ],
  };
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
