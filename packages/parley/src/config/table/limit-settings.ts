import { resolveLimits } from '../../server/limits/limits.ts';
import { bytes, duration, type Kind, seconds, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

const count = wholeNumber();

/** Every limit that is a number; docs/hosting.md and docs/limits.md say more about each. */
const LIMITS: readonly (readonly [name: string, kind: Kind, about: string])[] = [
  ['bodyBytes', bytes, 'The largest request body'],
  ['bodiesBytes', bytes, 'The memory for all large request bodies together'],
  ['bodyTimeout', duration, 'The time that a request body may take to arrive'],
  ['headersTimeout', duration, 'The time that headers may take to arrive'],
  ['headersBytes', bytes, 'The size of all headers of a request together'],
  ['headers', count, 'Headers that a request may have'],
  ['responsesBytes', bytes, 'The memory for all long responses that wait for their readers'],
  ['values', count, 'The number of texts, names, objects and arrays in a request body'],
  ['depth', wholeNumber(0, 1000), 'The deepest nesting of a request body'],
  ['idLength', count, 'The longest id or name, in characters'],
  ['fieldLength', count, 'The longest address, token or reason, in characters'],
  ['references', count, 'Tasks that a message may reference'],
  ['listLength', count, 'Elements of any other list of texts'],
  ['parts', count, 'Parts that a message may have'],
  ['textBytes', bytes, 'The longest text of one part; 0 allows any'],
  ['dataBytes', bytes, 'The largest data or file of one part; 0 allows any'],
  ['metadataBytes', bytes, 'The largest metadata object; 0 allows any'],
  ['messageBytes', bytes, 'The largest message; 0 allows any'],
  ['requestTimeout', duration, 'The time after which a blocking send returns the task as it is; 0 waits forever'],
  ['pushConfigs', count, 'Webhooks that one task may have'],
  ['pushTasks', count, 'Tasks with webhooks that have deliveries waiting'],
  ['keepAlive', duration, 'The interval of comments on an idle stream; 0 sends none'],
  ['streamTimeout', duration, 'The longest time that a stream may last; 0 for no limit'],
  ['stallTimeout', duration, 'The time after which the server cuts a response that nobody reads; 0 for no limit'],
  ['runTimeout', duration, 'The longest time that a turn may run; 0 for no limit'],
  ['inactivityTimeout', duration, 'The longest time that a turn may stay silent; 0 for no limit'],
  ['hops', count, 'Agents that may come before this one in a chain of calls'],
  ['runs', count, 'Runs that work at the same time; 0 for no limit'],
  ['resumes', count, 'Times that a lost run starts again without progress'],
  ['replyWindow', duration, 'The time after which a run without output becomes a task'],
  ['cancelGrace', duration, 'The time that handlers of a cancel may take'],
  ['queuedMessages', count, 'Messages that may wait for a working task'],
  ['messagesPerTask', count, 'Messages that one task may have; 0 for no limit'],
  ['openQuestions', count, 'Questions that one run may have open'],
  ['askTimeout', duration, 'The time that a run in memory waits for an answer; 0 for no limit'],
  ['parkAfter', duration, 'The time after which a waiting resumable run leaves memory; 0 keeps it there'],
  ['pendingEvents', count, 'Uncommitted events that an agent may have before it waits'],
  ['pendingBytes', bytes, 'Uncommitted bytes that an agent may have before it waits'],
  ['bufferedOutputs', count, 'Outputs of an observable that may wait for the store'],
  ['recentBytes', bytes, 'The memory for recent events of one task, for its readers'],
  ['finishedBytes', bytes, 'The memory for finished tasks'],
  ['waitingBytes', bytes, 'The memory for tasks that wait for their caller'],
  ['pageBytes', bytes, 'The largest page of a list'],
  ['contextBytes', bytes, 'The largest state of one context'],
  ['heartbeatInterval', duration, 'The interval of heartbeats of a node; by default a third of leaseLifetime'],
  ['leaseLifetime', duration, 'The time that a node counts as alive after its last heartbeat'],
  ['storeTimeout', duration, 'The time that a request waits for a store that several nodes share'],
  ['pollInterval', duration, 'The interval at which a node looks for commits of others; 0 never looks'],
  ['commandTimeout', duration, 'The time that a node waits for a response of another node'],
  ['requestsPerCaller', count, 'Requests that one caller may have at the same time; 0 for any number'],
  ['streamsPerCaller', count, 'Streams that one caller may have at the same time; 0 for any number'],
  ['tasksPerContext', count, 'Tasks of one context that work at the same time; 0 for any number'],
  ['sendTimeout', duration, 'The time that the run of a blocking send may take; 0 for runTimeout'],
  ['longestTimeout', duration, 'The longest time that a request may ask for; 0 for any'],
];

const DEFAULTS: Readonly<Record<string, number>> = { ...resolveLimits() };

export const LIMIT_SETTINGS: readonly Setting[] = LIMITS.map(([name, kind, about]) => {
  const value = DEFAULTS[name] ?? 0;
  const setting = { name: `limits.${name}`, kind, about, default: value === Number.POSITIVE_INFINITY ? 0 : value };
  return name === 'leaseLifetime' ? { ...setting, flag: 'lease', flagKind: seconds } : setting;
});
