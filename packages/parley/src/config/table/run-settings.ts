import { choice, duration, flag, list, number, off, programValue, text, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

/** How the server ends. */
export const STOP_SETTINGS: readonly Setting[] = [
  {
    name: 'drainTimeout',
    kind: duration,
    flag: 'drain-timeout',
    default: 10_000,
    about: 'How long runs may go on after a signal to end',
  },
];

/** How webhooks are told. */
export const PUSH_SETTINGS: readonly Setting[] = [
  { name: 'push', kind: flag, default: true, about: 'Whether clients may register webhooks for their tasks' },
  {
    name: 'push.events',
    kind: choice('changes', 'all'),
    default: 'changes',
    about: 'The events that webhooks are told of',
  },
  {
    name: 'push.secret',
    kind: list(text, 'secrets'),
    isSecret: true,
    about: 'Signs requests to webhooks that have no secret of their own (whsec_…)',
  },
  {
    name: 'push.signingKey',
    kind: list(text, 'keys'),
    isSecret: true,
    about: 'Signs all requests (whsk_…); made once and kept in the store without it',
  },
  { name: 'push.jwt', kind: flag, default: false, about: 'Requests carry a JWT too; needs url' },
  { name: 'push.timeout', kind: duration, default: 20_000, about: 'How long one request may take' },
  {
    name: 'push.allow',
    kind: list(text, 'networks, addresses and names'),
    about: 'Targets that are open though they are not public',
  },
  { name: 'push.schemes', kind: list(choice('https', 'http'), 'schemes'), about: 'The schemes that are open' },
  { name: 'push.ports', kind: list(wholeNumber(1, 65_535), 'ports'), about: 'The ports that are open' },
  { name: 'push.ca', kind: list(text, 'certificates'), about: 'Certificates (PEM) of authorities that are trusted' },
  { name: 'push.resolve', kind: programValue('a function'), isProgramValue: true, about: 'Resolves names' },
  { name: 'push.retry.firstDelay', kind: duration, default: 5000, about: 'The delay after the first failure' },
  {
    name: 'push.retry.factor',
    kind: number(1),
    default: 4,
    about: 'Each further delay is so many times the one before',
  },
  { name: 'push.retry.longestDelay', kind: duration, default: 1_800_000, about: 'No delay is longer' },
  { name: 'push.retry.jitter', kind: number(0, 1), default: 0.2, about: 'The random part of a delay' },
  {
    name: 'push.retry.longestRetryAfter',
    kind: duration,
    default: 86_400_000,
    about: 'A Retry-After counts up to this',
  },
  {
    name: 'push.retry.pauseAfter',
    kind: wholeNumber(),
    default: 10,
    about: 'After so many failures in a row a webhook is paused',
  },
  {
    name: 'push.retry.pause',
    kind: duration,
    default: 21_600_000,
    about: 'The delay between attempts of a paused webhook',
  },
  {
    name: 'push.retry.giveUpAfter',
    kind: duration,
    default: 432_000_000,
    about: 'A webhook that has failed for so long is given up',
  },
  {
    name: 'push.concurrency.total',
    kind: wholeNumber(1),
    default: 64,
    about: 'Requests that are under way at the same time',
  },
  { name: 'push.concurrency.perHost', kind: wholeNumber(1), default: 8, about: 'The same to one host' },
];

/** The limits that are no single numbers; see limit-settings.ts for the others. */
export const CALLER_SETTINGS: readonly Setting[] = [
  { name: 'limits.rate', kind: off, about: 'false for any rate, also on mounts whose dialect has one' },
  {
    name: 'limits.rate.requests',
    kind: wholeNumber(1),
    about: 'So many requests of one caller may come within the window',
  },
  { name: 'limits.rate.window', kind: duration, about: 'The window' },
  { name: 'limits.rate.burst', kind: wholeNumber(1), about: 'So many of them may come within one second' },
  { name: 'limits.rate.legacyHeaders', kind: flag, about: 'Sends X-RateLimit-* too' },
  { name: 'limits.failedCredentials', kind: off, about: 'false for any number of wrong credentials' },
  {
    name: 'limits.failedCredentials.attempts',
    kind: wholeNumber(1),
    default: 100,
    about: 'Wrong credentials that one address may send within the window',
  },
  { name: 'limits.failedCredentials.window', kind: duration, default: 60_000, about: 'The window' },
  { name: 'limits.load.delay', kind: duration, about: 'Requests are refused while the event loop is later than this' },
  { name: 'limits.load.requests', kind: wholeNumber(1), about: 'Requests that may be at work at the same time' },
  {
    name: 'limits.perCaller',
    kind: programValue('a function'),
    isProgramValue: true,
    about: 'The limits of one caller',
  },
  {
    name: 'limits.rateStore',
    kind: programValue('a rate store'),
    isProgramValue: true,
    about: 'Where requests are counted',
  },
];
