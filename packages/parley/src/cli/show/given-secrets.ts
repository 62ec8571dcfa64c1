import { TokenFiles } from '../login/token-file.ts';
import type { Options } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { cleanLine } from '../text/clean.ts';

/** Anything shorter is part of other words, and no secret. */
const SHORTEST = 4;
/** The fewest characters of a token. */
const SHORTEST_TOKEN = 16;
const NOT_SHOWN = '***';

/**
 * The secrets of a command line: the token, the values of headers, with the scheme before them and without it, and the
 * tokens of logins.
 */
export function secretsOf(
  { token, 'other-token': other, header = [], secret: webhooks = [] }: Options,
  env: Surroundings['env'],
): readonly string[] {
  const words = header.flatMap((line) => {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    // A line that is no header may be a token by mistake; a short one is a mere slip.
    const isShown = colon < 0 && value.length < SHORTEST_TOKEN;
    return [...(isShown ? [] : [value]), ...value.split(/\s+/).slice(1)];
  });
  const given = [token ?? '', other ?? '', env.PARLEY_TOKEN ?? '', ...webhooks, env.PARLEY_WEBHOOK_SECRET ?? ''];
  const all = [...given, ...words, ...new TokenFiles(env).secrets()];
  const shown = all.flatMap((secret) => [secret, cleanLine(secret)]).filter(({ length }) => length >= SHORTEST);
  // The longest first: a shorter one may be a part of it.
  return [...new Set(shown)].sort((one, other) => other.length - one.length);
}

/** A text as it may be shown: servers and runtimes repeat in their errors what they were sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, NOT_SHOWN), text);
}
