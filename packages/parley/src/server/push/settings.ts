import { isPushEvents, PUSH_EVENTS, type PushEvents } from '../../model/extensions/push.ts';
import {
  anything,
  type Checks,
  flag,
  members,
  object,
  requireRight,
  unknownMember,
} from '../../model/options/checks.ts';
import { readPushSecret } from '../../push/signature/secrets.ts';
import { readSigningKey } from '../../push/signature/signing-keys.ts';
import type { OutboundOptions } from '../outbound/settings.ts';

/** Delays and attempts for a webhook that fails. Times are in milliseconds. */
export interface PushRetry {
  /** The delay after the first failure. Default 5 s. */
  readonly firstDelay: number;
  /** Multiplies the delay after each further failure. Default 4. */
  readonly factor: number;
  /** Longest delay, except for a `Retry-After` and a pause. Default 30 minutes. */
  readonly longestDelay: number;
  /** Random part of a delay, 0 to 1: at most so much is added. Default 0.2. */
  readonly jitter: number;
  /** Longest `Retry-After` that counts. Default 24 hours. */
  readonly longestRetryAfter: number;
  /** Failures in a row after which the server pauses the webhook. Default 10. */
  readonly pauseAfter: number;
  /** The delay between attempts of a paused webhook. Default 6 hours. */
  readonly pause: number;
  /** Time after which the server gives up a webhook that keeps failing. Default 5 days. */
  readonly giveUpAfter: number;
}

/** Requests to webhooks that run at the same time. */
export interface PushConcurrency {
  /** In all. Default 64. */
  readonly total: number;
  /** To one host and port. Default 8. */
  readonly perHost: number;
}

export interface PushSettings extends Pick<OutboundOptions, 'allow' | 'schemes' | 'ports' | 'resolve' | 'ca'> {
  /**
   * Events that webhooks get, unless their config says otherwise: `changes` for status changes and finished artifacts,
   * `all` for every event of a stream. Default `changes`.
   */
  readonly events?: PushEvents | undefined;
  /**
   * Signs requests to webhooks whose `token` is not a secret: `whsec_…`, or several while you rotate them. Default:
   * only the server's own key signs.
   */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * Signs all requests: `whsk_…`, or several while you rotate them. Default: a key that the server makes once and keeps
   * in the store.
   */
  readonly signingKey?: string | readonly string[] | undefined;
  /** Adds a JWT to requests, in `X-A2A-Notification-JWT`. Needs the setting `url`. Default false. */
  readonly jwt?: boolean | undefined;
  /** Time that one request may take, in milliseconds. Default 20 s. */
  readonly timeout?: number | undefined;
  /** Delays and attempts for a webhook that fails. */
  readonly retry?: Partial<PushRetry> | undefined;
  /** Requests that run at the same time. */
  readonly concurrency?: Partial<PushConcurrency> | undefined;
}

export interface ResolvedPushSettings {
  readonly events: PushEvents;
  readonly secrets: readonly string[];
  readonly signingKeys: readonly string[];
  readonly jwt: boolean;
  readonly timeout: number;
  readonly retry: PushRetry;
  readonly concurrency: PushConcurrency;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const DEFAULT_RETRY: PushRetry = {
  firstDelay: 5 * SECOND,
  factor: 4,
  longestDelay: 30 * MINUTE,
  jitter: 0.2,
  longestRetryAfter: 24 * HOUR,
  pauseAfter: 10,
  pause: 6 * HOUR,
  giveUpAfter: 120 * HOUR,
};

export const DEFAULT_CONCURRENCY: PushConcurrency = { total: 64, perHost: 8 };
export const DEFAULT_TIMEOUT: number = 20 * SECOND;

/** Reads the setting `push`; undefined where it is off. Throws a TypeError that names what is wrong. */
export function readPushSettings(given: boolean | PushSettings | undefined): ResolvedPushSettings | undefined {
  if (given === false) return undefined;
  const settings = given === undefined || given === true ? {} : given;
  requireRight('', check(settings, 'push'));
  const { events = 'changes', timeout = DEFAULT_TIMEOUT, retry, concurrency, jwt = false } = settings;
  if (!isPushEvents(events)) throw new TypeError(`push.events is ${PUSH_EVENTS.join(' or ')}, not ${String(events)}`);
  return {
    events,
    secrets: checked('push.secret', settings.secret, readPushSecret),
    signingKeys: checked('push.signingKey', settings.signingKey, readSigningKey),
    jwt,
    timeout: numberOf('push.timeout', timeout, 1),
    retry: numbersOf('push.retry', DEFAULT_RETRY, retry),
    concurrency: numbersOf('push.concurrency', DEFAULT_CONCURRENCY, concurrency, 1),
  };
}

/** The values that are not looked at here are resolved by themselves, those of `OutboundOptions` with the guard. */
const SETTINGS: Checks<PushSettings> = {
  events: anything,
  secret: anything,
  signingKey: anything,
  jwt: flag,
  timeout: anything,
  retry: object,
  concurrency: object,
  allow: anything,
  schemes: anything,
  ports: anything,
  resolve: anything,
  ca: anything,
};

const check = members(SETTINGS);

/** One text or several, each of which can be read. Throws a TypeError that names the setting and never shows a secret. */
function checked(
  name: string,
  given: string | readonly string[] | undefined,
  read: (text: string) => unknown,
): readonly string[] {
  const texts = given === undefined ? [] : [given].flat();
  for (const text of texts) {
    try {
      read(text);
    } catch (error) {
      throw new TypeError(`${name}: ${error instanceof Error ? error.message : 'it cannot be read'}`);
    }
  }
  return texts;
}

/** The defaults with what is given in their place, each a number that is not too small. */
function numbersOf<Numbers extends object>(
  name: string,
  defaults: Numbers,
  given: Partial<Numbers> | undefined = {},
  least = 0,
): Numbers {
  const known = new Map<string, unknown>(Object.entries(defaults));
  requireRight('', unknownMember(name, given, [...known.keys()]));
  for (const [member, value] of Object.entries(given)) {
    if (value !== undefined) known.set(member, numberOf(`${name}.${member}`, value, least));
  }
  return Object.fromEntries(known) as Numbers;
}

function numberOf(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}`);
}
