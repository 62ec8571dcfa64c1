import { type A2AError, type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import { EXIT, exitCodeOfError } from '../exit-codes.ts';
import { cleanLine } from '../text/clean.ts';
import { commandLine, invocation, lastWord } from '../text/shell.ts';
import { UsageError } from '../usage-error.ts';
import { withoutSecrets } from './given-secrets.ts';

interface Problem {
  /** For programs. */
  readonly code: string;
  /** One line for a person: what is wrong and what to do. */
  readonly text: string;
  readonly exitCode: number;
}

interface Place {
  readonly program: string;
  readonly command?: string | undefined;
  /** The agent's address as it was given. */
  readonly url?: string | undefined;
  /** The texts that must not be shown. */
  readonly secrets?: readonly string[] | undefined;
}

/** An error that knows its own exit code. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, code = 'FAILED') {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.exitCode = exitCode;
  }
}

export function problemOf(error: unknown, place: Place): Problem {
  const problem = tell(error, place);
  return { ...problem, text: withoutSecrets(problem.text, place.secrets ?? []) };
}

function tell(error: unknown, place: Place): Problem {
  const { program, command } = place;
  if (error instanceof UsageError) {
    const help = invocation(program, [...(command ? [command] : []), '--help'].join(' '));
    return { code: 'USAGE', text: sentence(`${sentence(error.message)} See: ${help}`, ''), exitCode: EXIT.usage };
  }
  if (error instanceof CommandError) {
    return { code: error.code, text: sentence(error.message), exitCode: error.exitCode };
  }
  if (isA2AError(error)) {
    return { code: error.code, text: sentence(explained(error, place), ''), exitCode: exitCodeOfError(error.code) };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'FAILED', text: sentence(text), exitCode: EXIT.failed };
}

/** On one line, with an end. */
function sentence(text: string, end = '.'): string {
  const line = cleanLine(text);
  return end === '' || /[.!?…]$/.test(line) ? line : `${line}${end}`;
}

type Explanation = (said: string, error: A2AError, place: { readonly program: string; readonly url: string }) => string;

const NO_AGENT = 'Give the address of an agent or of its card';

/** Advice on errors whose message is not enough. */
const EXPLANATIONS: Readonly<Partial<Record<A2AErrorCode, Explanation>>> = {
  UNREACHABLE: (_said, error, { url }) =>
    `Cannot reach ${url}: ${sentence(connectionFailure(error, url) ?? error.message)} Is the agent running, and is the address right?`,
  TIMEOUT: (said, _error, { url }) => `${url} does not respond: ${said} --timeout SECONDS waits longer`,
  NOT_FOUND: (said, _error, { url }) =>
    said.startsWith('No agent card') ? `There is no agent at ${url}: ${said} ${NO_AGENT}` : said,
  INVALID_RESPONSE: (said, _error, { url }) => `${url} does not respond as an agent does: ${said} ${NO_AGENT}`,
  UNAVAILABLE: (said, _error, { url }) => `${url} cannot serve now: ${said} Try again later`,
  OVERLOADED: (said, _error, { url }) => `${url} cannot serve now: ${said} Try again later`,
  UNAUTHENTICATED: (said, error, place) =>
    `${place.url} does not know who you are: ${said} ${accessAdvice(error, place)}`,
  PERMISSION_DENIED: (said, _error, { url }) =>
    `${url} does not let you do this: ${said} Try another --token, or a login with --scope SCOPE`,
  TASK_NOT_FOUND: (_said, _error, { url, program }) =>
    `There is no such task at ${url}. See which there are: ${commandLine(program, 'tasks', url)}`,
  STREAM_INTERRUPTED: (said, { task }, { url, program }) =>
    task ? `${said} Go on with: ${commandLine(program, 'watch', url, ...lastWord(task.id))}` : said,
  CONTENT_TYPE_NOT_SUPPORTED: (said, _error, { url, program }) =>
    `${said} See what it takes: ${commandLine(program, 'card', url)}`,
};

function explained(error: A2AError, { program, command, url = 'the agent' }: Place): string {
  const said = sentence(command === 'login' ? inFlags(error.message) : error.message);
  return EXPLANATIONS[error.code]?.(said, error, { program, url }) ?? said;
}

/** The errors of the client name its settings; the command has a flag for this one. */
function inFlags(text: string): string {
  return text.replace(/\bset issuer(?:(?::| to) '([^']*)')?/, (_whole, url = 'URL') => `give --issuer ${url}`);
}

function accessAdvice(
  { message }: A2AError,
  { program, url }: { readonly program: string; readonly url: string },
): string {
  if (message.includes('allowedOrigins')) return 'Here that is --allow-origin ORIGIN';
  const advice = "Use --token TOKEN or --header 'NAME: VALUE'";
  // Parley's servers name what they take; one that takes no tokens has nowhere to log in.
  const takesNoTokens = /\bsend an? \w/.test(message) && !message.includes('a token');
  return takesNoTokens ? advice : `${advice}, or log in with: ${commandLine(program, 'login', url)}`;
}

const CUT = 'the connection was cut';

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'no way leads to the host',
  ENETUNREACH: 'no way leads to the network',
  ECONNRESET: CUT,
  UND_ERR_SOCKET: CUT,
  UND_ERR_CONNECT_TIMEOUT: 'the host does not respond',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; try http:// instead of https://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to trust',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; NODE_EXTRA_CA_CERTS names one to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified; NODE_EXTRA_CA_CERTS names one to trust',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Tells whether an address as it was given means HTTP without TLS: in so many words, or by being near. */
function isPlain(url: string): boolean {
  return /^(?:http:|localhost\b|:|\[|[\d.]+(?:[:/]|$))/i.test(url);
}

/** Explains the system's error of a connection in words. */
function connectionFailure(error: unknown, url: string): string | undefined {
  for (let cause = error, depth = 0; typeof cause === 'object' && cause !== null && depth < 8; depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const words = FAILURES[code];
    // A server that expects TLS cuts a connection that begins in the clear.
    if (words === CUT && isPlain(url)) return `${words}; if the server speaks TLS, write https://`;
    if (words) return words;
    const inner: unknown = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors[0] : undefined;
    cause = inner ?? ('cause' in cause ? cause.cause : undefined);
  }
  return undefined;
}
