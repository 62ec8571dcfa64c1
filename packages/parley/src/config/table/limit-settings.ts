import { resolveLimits } from '../../server/limits/limits.ts';
import { bytes, duration, type Kind, seconds, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

const count = wholeNumber();

/** Every limit that is a number; docs/hosting.md and docs/limits.md say more about each. */
const LIMITS: readonly (readonly [name: string, kind: Kind, about: string])[] = [
  ['bodyBytes', bytes, 'The largest request body'],
  ['bodiesBytes', bytes, 'All large request bodies in memory at a time'],
  ['bodyTimeout', duration, 'How long a request body may take to arrive'],
  ['headersTimeout', duration, 'How long headers may take to arrive'],
  ['headersBytes', bytes, 'The largest headers of a request'],
  ['headers', count, 'Headers that a request may have'],
  ['answersBytes', bytes, 'All long responses that wait for their readers'],
  ['values', count, 'Texts, names, objects and arrays in a request body'],
  ['depth', wholeNumber(0, 1000), 'How deep a request body may be nested'],
  ['idLength', count, 'The longest id or name, in characters'],
  ['fieldLength', count, 'The longest address, token or reason, in characters'],
  ['references', count, 'Tasks that a message may reference'],
  ['listLength', count, 'Elements of any other list of texts'],
  ['parts', count, 'Parts that a message may have'],
  ['textBytes', bytes, 'The longest text of one part; 0 allows any'],
  ['dataBytes', bytes, 'The largest data or file of one part; 0 allows any'],
  ['metadataBytes', bytes, 'The largest object of metadata; 0 allows any'],
  ['messageBytes', bytes, 'The largest message; 0 allows any'],
  ['requestTimeout', duration, 'How long a blocking send waits before it returns the task as it is; 0 waits for ever'],
  ['pushConfigs', count, 'Webhooks of one task'],
  ['pushTasks', count, 'Tasks with webhooks that have deliveries waiting'],
  ['keepAlive', duration, 'How often an idle stream gets a comment; 0 sends none'],
  ['streamTimeout', duration, 'How long a stream may last; 0 has no limit'],
  [
    'stallTimeout',
    duration,
    'How long the reader of a response may take nothing before the server cuts it; 0 has no limit',
  ],
  ['runTimeout', duration, 'How long a turn may run; 0 has no limit'],
  ['inactivityTimeout', duration, 'How long a turn may stay silent; 0 has no limit'],
  ['hops', count, 'Agents before this one in a chain of calls'],
  ['runs', count, 'Runs at the same time; 0 has no limit'],
  ['resumes', count, 'How often a lost run starts again without progress'],
  ['replyWindow', duration, 'How long a run may produce nothing before it becomes a task'],
  ['cancelGrace', duration, 'How long handlers of a cancel may take'],
  ['queuedMessages', count, 'Messages that may wait for a working task'],
  ['messagesPerTask', count, 'Messages of one task; 0 has no limit'],
  ['openQuestions', count, 'Open questions of one run'],
  ['askTimeout', duration, 'How long a run in memory waits for an answer; 0 has no limit'],
  ['parkAfter', duration, 'How long a resumable run waits before it leaves memory; 0 keeps it there'],
  ['pendingEvents', count, 'Uncommitted events of an agent before it waits'],
  ['pendingBytes', bytes, 'Uncommitted bytes of an agent before it waits'],
  ['bufferedOutputs', count, 'Outputs of an observable that may wait for the store'],
  ['recentBytes', bytes, 'Recent events of a task in memory, for its readers'],
  ['finishedBytes', bytes, 'Finished tasks in memory'],
  ['waitingBytes', bytes, 'Waiting tasks in memory'],
  ['pageBytes', bytes, 'The largest page of a list'],
  ['keyLifetime', duration, 'How long to keep an idempotency key'],
  ['contextLifetime', duration, 'How long a conversation lasts; 0 has no limit'],
  ['contextBytes', bytes, 'The largest state of one context'],
  ['taskRetention', duration, 'How long to keep a finished task; 0 keeps it for ever'],
  ['heartbeatInterval', duration, 'How often a node writes that it is alive; by default a third of leaseLifetime'],
  ['leaseLifetime', duration, 'How long after its last heartbeat a node counts as alive'],
  ['storeTimeout', duration, 'How long a request waits for a store that several nodes share'],
  ['pollInterval', duration, 'How often a node looks for commits of others; 0 never looks'],
  ['commandTimeout', duration, 'How long a node waits for a response of another node'],
  ['requestsPerCaller', count, 'Requests of one caller at the same time; 0 for any number'],
  ['streamsPerCaller', count, 'Streams of one caller at the same time; 0 for any number'],
  ['tasksPerContext', count, 'Tasks of one context at work at the same time; 0 for any number'],
  ['sendTimeout', duration, 'How long the run of a blocking send may take; 0 for runTimeout'],
  ['longestTimeout', duration, 'The longest time that a request may ask for; 0 for any'],
];

const DEFAULTS: Readonly<Record<string, number>> = { ...resolveLimits() };

export const LIMIT_SETTINGS: readonly Setting[] = LIMITS.map(([name, kind, about]) => {
  const value = DEFAULTS[name] ?? 0;
  const setting = { name: `limits.${name}`, kind, about, default: value === Number.POSITIVE_INFINITY ? 0 : value };
  return name === 'leaseLifetime' ? { ...setting, flag: 'lease', flagKind: seconds } : setting;
});
