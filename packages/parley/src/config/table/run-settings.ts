import { choice, duration, flag, list, number, off, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** The end of the server. */
export const STOP_SETTINGS: readonly Setting[] = [
  {
    name: 'drainTimeout',
    kind: duration,
    flag: 'drain-timeout',
    default: 10_000,
    about: 'The time that runs may go on after a signal to stop',
  },
];

/** Requests to webhooks. */
export const PUSH_SETTINGS: readonly Setting[] = [
  { name: 'push', kind: flag, default: true, about: 'Lets clients register webhooks for their tasks' },
  {
    name: 'push.events',
    kind: choice('changes', 'all'),
    default: 'changes',
    about: 'The events that webhooks get',
  },
  {
    name: 'push.secret',
    kind: list(text, 'secrets'),
    isSecret: true,
    about: 'The secret that signs requests to webhooks without one of their own (whsec_…)',
  },
  {
    name: 'push.signingKey',
    kind: list(text, 'keys'),
    isSecret: true,
    about: 'The key that signs all requests (whsk_…); by default made once and kept in the store',
  },
  { name: 'push.jwt', kind: flag, default: false, about: 'Adds a JWT to each request; needs url' },
  { name: 'push.timeout', kind: duration, default: 20_000, about: 'The time that one request may take' },
  {
    name: 'push.allow',
    kind: list(text, 'networks, addresses and names'),
    about: 'Targets that webhooks may have although they are not public',
  },
  {
    name: 'push.schemes',
    kind: list(choice('https', 'http'), 'schemes'),
    about: 'The URL schemes that webhooks may have',
  },
  { name: 'push.ports', kind: list(wholeNumber(1, 65_535), 'ports'), about: 'The ports that webhooks may have' },
  { name: 'push.ca', kind: list(text, 'certificates'), about: 'Certificates (PEM) of authorities to trust' },
  { name: 'push.resolve', kind: programValue('a function'), isProgramValue: true, about: 'Resolves names' },
  { name: 'push.retry.firstDelay', kind: duration, default: 5000, about: 'The delay after the first failure' },
  {
    name: 'push.retry.factor',
    kind: number(1),
    default: 4,
    about: 'Multiplies the delay after each further failure',
  },
  { name: 'push.retry.longestDelay', kind: duration, default: 1_800_000, about: 'The longest delay' },
  { name: 'push.retry.jitter', kind: number(0, 1), default: 0.2, about: 'The random part of a delay' },
  {
    name: 'push.retry.longestRetryAfter',
    kind: duration,
    default: 86_400_000,
    about: 'The longest Retry-After that counts',
  },
  {
    name: 'push.retry.pauseAfter',
    kind: wholeNumber(),
    default: 10,
    about: 'Failures in a row after which the server pauses a webhook',
  },
  {
    name: 'push.retry.pause',
    kind: duration,
    default: 21_600_000,
    about: 'The delay between attempts for a paused webhook',
  },
  {
    name: 'push.retry.giveUpAfter',
    kind: duration,
    default: 432_000_000,
    about: 'The time after which the server gives up a webhook that keeps failing',
  },
  {
    name: 'push.concurrency.total',
    kind: wholeNumber(1),
    default: 64,
    about: 'Requests to webhooks that run at the same time',
  },
  {
    name: 'push.concurrency.perHost',
    kind: wholeNumber(1),
    default: 8,
    about: 'Requests to one host that run at the same time',
  },
];

/** The limits that are no single numbers; see limit-settings.ts for the others. */
export const CALLER_SETTINGS: readonly Setting[] = [
  { name: 'limits.rate', kind: off, about: 'false turns off the rate limit, also on mounts whose dialect has one' },
  {
    name: 'limits.rate.requests',
    kind: wholeNumber(1),
    about: 'Requests that one caller may send within the window',
  },
  { name: 'limits.rate.window', kind: duration, about: 'The length of the window' },
  { name: 'limits.rate.burst', kind: wholeNumber(1), about: 'Requests that one caller may send within one second' },
  { name: 'limits.rate.legacyHeaders', kind: flag, about: 'Also sends X-RateLimit-* headers' },
  { name: 'limits.failedCredentials', kind: off, about: 'false allows any number of wrong credentials' },
  {
    name: 'limits.failedCredentials.attempts',
    kind: wholeNumber(1),
    default: 100,
    about: 'Wrong credentials that one address may send within the window',
  },
  { name: 'limits.failedCredentials.window', kind: duration, default: 60_000, about: 'The length of the window' },
  {
    name: 'limits.load.delay',
    kind: duration,
    about: 'The server refuses requests while the event loop lags more than this',
  },
  { name: 'limits.load.requests', kind: wholeNumber(1), about: 'Requests that the server handles at the same time' },
  {
    name: 'limits.perCaller',
    kind: programValue('a function'),
    isProgramValue: true,
    about: 'Returns the limits of a caller',
  },
  {
    name: 'limits.rateStore',
    kind: programValue('a rate store'),
    isProgramValue: true,
    about: 'Counts requests for limits.rate; by default the store does, or this process',
  },
];
