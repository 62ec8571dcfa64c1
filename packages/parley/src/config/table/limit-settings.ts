import { resolveLimits } from '../../server/limits/limits.ts';
import { bytes, duration, type Kind, seconds, wholeNumber } from '../kinds.ts';
import type { Setting } from '../setting.ts';

const count = wholeNumber();

/** Every limit that is a number; docs/hosting.md and docs/limits.md say more about each. */
const LIMITS: readonly (readonly [name: string, kind: Kind, about: string])[] = [
  ['bodyBytes', bytes, 'Larger request bodies are refused'],
  ['bodiesBytes', bytes, 'All large request bodies that are held at a time'],
  ['bodyTimeout', duration, 'A request body that has not arrived by then is refused'],
  ['headersTimeout', duration, 'Headers that have not arrived by then are refused'],
  ['headersBytes', bytes, 'Larger headers of a request are refused'],
  ['headers', count, 'Headers that a request may have'],
  ['answersBytes', bytes, 'All long responses that wait for their readers'],
  ['values', count, 'Texts, names, objects and arrays of a request body'],
  ['depth', wholeNumber(0, 1000), 'How deep a request body may be nested'],
  ['idLength', count, 'Characters of an id or a name'],
  ['fieldLength', count, 'Characters of an address, a token or a reason'],
  ['references', count, 'Tasks that a message may reference'],
  ['listLength', count, 'Elements of any other list of texts'],
  ['parts', count, 'Parts that a message may have'],
  ['textBytes', bytes, 'Bytes of the text of one part; 0 for any'],
  ['dataBytes', bytes, 'Bytes of the data or file of one part; 0 for any'],
  ['metadataBytes', bytes, 'Bytes of one object of metadata; 0 for any'],
  ['messageBytes', bytes, 'Bytes of a whole message; 0 for any'],
  ['requestTimeout', duration, 'A blocking send then gets the task as it is; 0 for never'],
  ['pushConfigs', count, 'Webhooks that may be registered for one task'],
  ['pushTasks', count, 'Tasks whose webhooks may wait to be told'],
  ['keepAlive', duration, 'Idle streams get a comment this often; 0 for never'],
  ['streamTimeout', duration, 'A stream is closed after this long; 0 for never'],
  ['stallTimeout', duration, 'A response whose reader takes nothing for so long is cut; 0 for never'],
  ['runTimeout', duration, 'How long a turn may run; 0 for any time'],
  ['inactivityTimeout', duration, 'How long a turn may stay silent; 0 for any time'],
  ['hops', count, 'Agents that may stand before this one in a chain of calls'],
  ['runs', count, 'Runs that work at the same time; 0 for any number'],
  ['resumes', count, 'How often a lost run begins again without anything new'],
  ['replyWindow', duration, 'A run that has produced nothing by then becomes a task'],
  ['cancelGrace', duration, 'How long handlers of a cancellation may take'],
  ['queuedMessages', count, 'Messages that may wait for a working task'],
  ['messagesPerTask', count, 'Messages that a task may have; 0 for any number'],
  ['openQuestions', count, 'Questions that one run may have open at the same time'],
  ['askTimeout', duration, 'How long a run in memory waits for an answer; 0 for any time'],
  ['parkAfter', duration, 'A resumable run that has waited so long leaves the memory; 0 for never'],
  ['pendingEvents', count, 'Events of an agent that may be uncommitted before it waits'],
  ['pendingBytes', bytes, 'The same in bytes'],
  ['bufferedOutputs', count, 'Outputs of an observable that may wait for the store'],
  ['recentBytes', bytes, 'Recent events that are held for the readers of a task'],
  ['finishedBytes', bytes, 'Finished tasks that are held in memory'],
  ['waitingBytes', bytes, 'Waiting tasks that are held in memory'],
  ['pageBytes', bytes, 'A page of a list ends before it gets larger'],
  ['keyLifetime', duration, 'How long an idempotency key is kept'],
  ['contextLifetime', duration, 'A conversation is over after so long; 0 for never'],
  ['contextBytes', bytes, 'What one context may keep'],
  ['taskRetention', duration, 'How long a finished task is kept; 0 for ever'],
  ['heartbeatInterval', duration, 'How often a node says that it is alive; a third of leaseLifetime unless it is set'],
  ['leaseLifetime', duration, 'How long after its last heartbeat a node counts as alive'],
  ['storeTimeout', duration, 'How long a request waits for a store that several nodes share'],
  ['pollInterval', duration, 'How often a node looks for commits of others; 0 for never'],
  ['commandTimeout', duration, 'How long a node waits for another one'],
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
