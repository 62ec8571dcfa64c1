import { A2AError, quoted } from '../../../model/errors/errors.ts';
import { httpUrl } from '../../call/http-url.ts';

const LONGEST_ADDRESS = 2048;

/** Only this machine hears what is sent to such a host. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * An address that tokens and secrets may go to, or come from: https. Plain http is for this machine alone, and only where
 * `near` says that the agent is here too: an agent elsewhere has no business with servers of this machine.
 */
export function safeAddress(text: unknown, what: string, near: boolean): URL {
  const url = typeof text === 'string' && text.length <= LONGEST_ADDRESS ? httpUrl(text) : undefined;
  if (url?.username !== '' || url.password !== '' || url.hash !== '') {
    throw new A2AError('INVALID_RESPONSE', `${what} is not an http(s) address: ${quoted(String(text))}`);
  }
  if (url.protocol === 'https:' || (near && isLoopback(url))) return url;
  const why = isLoopback(url) ? 'it is on this machine, and the agent is not' : 'https is needed';
  throw new A2AError('INVALID_RESPONSE', `${what} is not safe, ${quoted(url.href)}: ${why}`);
}

/** The agent's own address, which the token will be sent to. */
export function agentAddress(text: string): URL {
  const url = new URL(text);
  if (url.protocol === 'https:' || isLoopback(url)) return url;
  throw new A2AError('INVALID_PARAMS', `No token is sent to ${url.origin}: https is needed, except on this machine`);
}

/** The path below which a resource has everything; '' for a whole origin. */
function folderOf({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '');
}

/** Tells whether an address belongs to a resource: the same origin, and the same path or one below it. */
export function belongsTo(url: URL, resource: URL): boolean {
  const folder = folderOf(resource);
  return url.origin === resource.origin && (url.pathname === folder || url.pathname.startsWith(`${folder}/`));
}
