/** A text in which a secret may stand: what is before it, and the variable of the environment that holds it. */
export interface Disguised {
  readonly before: string;
  /** Undefined where there is no secret. */
  readonly variable?: string | undefined;
  readonly after?: string | undefined;
}

export interface SecretsShown {
  /** Secrets are written as they are. Default: as variables of the environment. */
  readonly reveal?: boolean | undefined;
  /** Further secret values, such as answers that a person typed into a hidden field. */
  readonly values?: readonly string[] | undefined;
}

const SECRET_NAME = /auth|token|secret|passw|credential|cookie|session|signature|api[-_]?key|(^|[-_.])key$/i;
/** Names that only look secret. */
const HARMLESS: ReadonlySet<string> = new Set(['idempotency-key', 'www-authenticate']);
const SCHEME = /^(Bearer|Basic|Digest|Negotiate|DPoP|Token|ApiKey) +(?=\S)/i;
const MASK = '***';
/** Shorter values would be found inside of other words. */
const SHORTEST_VALUE = 4;

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS.has(name.toLowerCase());
}

/** The value of a header as it may be shown: `Bearer ` and the variable TOKEN. */
export function disguisedHeader(name: string, value: string, { reveal, values }: SecretsShown = {}): Disguised {
  if (reveal || value === '') return { before: value };
  if (isSecretName(name)) {
    const scheme = SCHEME.exec(value)?.[0] ?? '';
    return { before: scheme, variable: /^bearer/i.test(scheme) ? 'TOKEN' : variableOf(name) };
  }
  // A header that the person set is a secret as a whole, however short it is.
  if (values?.includes(value)) return { before: '', variable: variableOf(name) };
  return { before: maskedText(value, { values }) };
}

/** The address in pieces: secrets of its query, and a password before the host, are variables. */
export function disguisedUrl(url: string, secrets: SecretsShown = {}): readonly Disguised[] {
  if (secrets.reveal || !URL.canParse(url)) return [{ before: url }];
  const parsed = new URL(url);
  const { hash } = parsed;
  if (parsed.password !== '') parsed.password = MASK;
  const query = parsed.search.slice(1);
  parsed.search = '';
  parsed.hash = '';
  const address = maskedText(parsed.href, secrets);
  if (query === '') return [{ before: address + hash }];
  const pieces = query.split('&').map((pair, index): Disguised => {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const sign = index === 0 ? '?' : '&';
    if (equals < 0 || pair.length === equals + 1 || !isSecretName(name)) return { before: sign + pair };
    return { before: `${sign}${name}=`, variable: variableOf(name) };
  });
  return [{ before: address }, ...pieces, { before: hash }];
}

/** The same as one text, for reading. */
export function maskedUrl(url: string, secrets: SecretsShown = {}): string {
  return disguisedUrl(url, secrets).map(maskedPiece).join('');
}

/** A header's value as one text, for reading. */
export function maskedHeader(name: string, value: string, secrets: SecretsShown = {}): string {
  return maskedPiece(disguisedHeader(name, value, secrets));
}

/** A text without the values that are secret. Short ones are hidden where they are a whole text of JSON. */
export function maskedText(text: string, { reveal, values = [] }: SecretsShown = {}): string {
  return reveal ? text : values.reduce(withoutValue, text);
}

function withoutValue(text: string, value: string): string {
  if (value === '') return text;
  const once = escapedText(value);
  // In a text of JSON that is itself a text of JSON it is escaped twice.
  const twice = escapedText(once);
  if (value.length < SHORTEST_VALUE) {
    return text.replaceAll(`"${once}"`, `"${MASK}"`).replaceAll(`\\"${twice}\\"`, `\\"${MASK}\\"`);
  }
  return [value, encodeURIComponent(value.toWellFormed()), once, twice].reduce(
    (left, form) => left.replaceAll(form, MASK),
    text,
  );
}

function escapedText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function maskedPiece({ before, variable, after = '' }: Disguised): string {
  return before + (variable === undefined ? '' : MASK) + after;
}

function variableOf(name: string): string {
  const word = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return /^[A-Z]/.test(word) ? word : `KEY_${word}`;
}
