import type { DialectWebhooks } from '../../../dialects/dialect.ts';
import type { Call } from '../../../model/call.ts';
import { type FieldViolation, invalidParams } from '../../../model/errors/errors.ts';
import { isPushEvents, PUSH_EVENTS, type PushWishes } from '../../../model/extensions/push.ts';
import type { PushConfig } from '../../../model/operations.ts';
import { isPushSecret, readPushSecret } from '../../../push/signature/secrets.ts';
import type { Outbound } from '../delivery/sender.ts';

/** The place of a config in a request: alone, or inside a send. */
export type ConfigPlace = 'request' | 'send';

/** Texts that a header can carry. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Refuses a config that could not be used, with every field that is wrong. */
export async function requireUsable(config: PushConfig, prefix: string, outbound: Outbound): Promise<void> {
  const violations: FieldViolation[] = [];
  const { url, token, authentication } = config;
  const reject = (field: string, description: string) => violations.push({ field: `${prefix}${field}`, description });
  try {
    await outbound.checkUrl(url);
  } catch (error) {
    reject('url', error instanceof Error ? error.message : 'cannot be used');
  }
  const wrongToken = token === undefined ? undefined : problemOfToken(token);
  if (wrongToken !== undefined) reject('token', wrongToken);
  if (authentication) {
    const { scheme, credentials = '' } = authentication;
    if (!TOKEN.test(scheme)) reject('authentication.scheme', 'must be the name of an HTTP authentication scheme');
    if (!HEADER_VALUE.test(credentials)) reject('authentication.credentials', 'must be a text that a header can carry');
  }
  if (violations.length > 0) throw invalidParams(...violations);
}

/** A token that begins like a signing secret is one, and must be a good one. */
function problemOfToken(token: string): string | undefined {
  if (!isPushSecret(token)) return HEADER_VALUE.test(token) ? undefined : 'must be a text that a header can carry';
  try {
    readPushSecret(token);
    return undefined;
  } catch (error) {
    return `cannot sign: ${error instanceof Error ? error.message : 'it is no secret'}`;
  }
}

/** The name of a config's member in requests of a dialect, without the member. */
export function fieldPrefix({ member, sendMember }: DialectWebhooks, place: ConfigPlace): string {
  if (place === 'send') return `configuration.${sendMember}.`;
  return member === undefined ? '' : `${member}.`;
}

/** Reads the wishes that a request has in its headers. */
export function wishesInHeaders({ pushWishes = {} }: Pick<Call, 'pushWishes'>): PushWishes {
  const { events, snapshot } = pushWishes;
  const known = isPushEvents(events) ? events : undefined;
  if (events !== undefined && known === undefined) {
    throw invalidParams({ field: 'Parley-Push-Events', description: `must be ${PUSH_EVENTS.join(' or ')}` });
  }
  if (snapshot !== undefined && snapshot !== 'true' && snapshot !== 'false') {
    throw invalidParams({ field: 'Parley-Push-Snapshot', description: 'must be true or false' });
  }
  return { events: known, snapshot: snapshot === 'true' };
}
