import { withoutConnection } from './connection-headers.ts';
import { literal, textLiteral } from './literal.ts';
import { methodCall } from './method-call.ts';
import type { Snippet, SnippetSource } from './recorded-call.ts';
import { disguisedHeader, maskedText, maskedUrl, type SecretsShown } from './secrets.ts';

/** The call as a program with `A2AClient`. */
export function clientCode(source: SnippetSource, secrets: SecretsShown = {}): Snippet {
  const lines = [
    "import { A2AClient } from 'parley-a2a';",
    '',
    `const client = new A2AClient(${clientArguments(source, secrets)});`,
    ...callLines(source),
  ];
  const notes = maskedUrl(source.target.url, secrets) === source.target.url ? [] : ['The address has a secret: ***.'];
  return { text: `${maskedText(lines.join('\n'), secrets)}\n`, notes };
}

/** The arguments of a client of the agent, as source text: the address, and the options that it needs. */
export function clientArguments(
  { target, request }: SnippetSource,
  secrets: SecretsShown,
  more: string[] = [],
): string {
  const { url, protocol, binding } = target;
  const options = [
    ...(protocol === undefined ? [] : [`protocol: ${textLiteral(protocol)}`]),
    ...(binding === undefined ? [] : [`prefer: { binding: ${textLiteral(binding)} }`]),
    ...headerOption(request.headers, secrets),
    ...more,
  ];
  const address = textLiteral(maskedUrl(url, secrets));
  return options.length === 0 ? address : `${address}, { ${options.join(', ')} }`;
}

/** Headers that every client sends anyway. */
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'traceparent',
  'tracestate',
]);
const PROTOCOL_PREFIX = /^(x-)?a2a-/;

/** The headers of a request that are the person's own: credentials, and those set by hand. */
export function ownHeaders(headers: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return withoutConnection(headers).filter(([name]) => !PROTOCOL_HEADERS.has(name) && !PROTOCOL_PREFIX.test(name));
}

function headerOption(headers: readonly (readonly [string, string])[], secrets: SecretsShown): readonly string[] {
  const members = ownHeaders(headers).map(([name, value]) => {
    const { before, variable } = disguisedHeader(name, value, secrets);
    const text =
      variable === undefined
        ? textLiteral(before)
        : `${before === '' ? '' : `${textLiteral(before)} + `}(process.env.${variable} ?? '')`;
    return `${/^[a-z]+$/.test(name) ? name : textLiteral(name)}: ${text}`;
  });
  return members.length === 0 ? [] : [`headers: { ${members.join(', ')} }`];
}

function callLines(source: SnippetSource): readonly string[] {
  const { call } = source;
  const expression = callExpression(source);
  if (call.operation === 'sendStreamingMessage' || call.operation === 'subscribeToTask') {
    return ['', `for await (const event of ${expression}) {`, '  console.log(event);', '}'];
  }
  return call.operation === 'deletePushConfig' ? [`await ${expression};`] : [`console.log(await ${expression});`];
}

/** The call of the client's method as source text, without `await`. */
export function callExpression(source: SnippetSource): string {
  const { method, values } = methodCall(source);
  return `client.${method}(${values.map((value) => literal(value)).join(', ')})`;
}
