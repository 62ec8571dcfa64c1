import { isPlainObject } from '../../model/basics/json.ts';
import { PRIORITIES } from '../../model/operations.ts';
import {
  type Advice,
  type Checks,
  called,
  checkOptions,
  countFrom,
  duration,
  filled,
  flag,
  object,
  oneOf,
  requireRight,
  takes,
  text,
  texts,
} from '../../model/options/checks.ts';
import { TASK_STATES } from '../../model/states.ts';
import type { CancelOptions, GetTaskOptions, SubscribeOptions } from '../client.ts';
import type { ListPushConfigsOptions } from '../every-dialect-client.ts';
import type { InputHandlers } from '../input/inputs.ts';
import type { CallOptions, SendOptions } from '../options.ts';
import type { TaskFilter } from '../tasks/task-list.ts';
import { headers, signal } from './client-options.ts';

export const CALL_OPTIONS: Checks<CallOptions> = {
  signal,
  timeout: duration,
  headers,
  extensions: texts,
  tenant: text,
};

const HANDLERS: Checks<InputHandlers> = { tools: object, onInput: called };

const count = countFrom(0);

/** Servers refuse one below 0. */
const whole = takes('a whole number', Number.isInteger);

const webhook = takes('a webhook, such as { url }', (value) => isPlainObject(value) && typeof value.url === 'string');

export const SEND_OPTIONS: Checks<SendOptions> = {
  ...CALL_OPTIONS,
  ...HANDLERS,
  idempotencyKey: text,
  messageId: filled,
  contextId: filled,
  taskId: filled,
  skill: filled,
  metadata: object,
  messageMetadata: object,
  referenceTaskIds: texts,
  acceptedOutputModes: texts,
  historyLength: whole,
  returnImmediately: flag,
  blocking: flag,
  pushConfig: webhook,
  maxTurns: count,
  priority: oneOf(...PRIORITIES),
};

export const GET_TASK_OPTIONS: Checks<GetTaskOptions> = { ...CALL_OPTIONS, historyLength: whole };

export const CANCEL_OPTIONS: Checks<CancelOptions> = { ...CALL_OPTIONS, reason: text, metadata: object };

const position = takes('the id of an event', (value) => typeof value === 'string' || Number.isInteger(value));

export const SUBSCRIBE_OPTIONS: Checks<SubscribeOptions> = { ...CALL_OPTIONS, ...HANDLERS, lastEventId: position };

export const LIST_PUSH_CONFIGS_OPTIONS: Checks<ListPushConfigsOptions> = {
  ...CALL_OPTIONS,
  pageSize: count,
  pageToken: text,
};

/** A text or number that is none is refused when it is read. */
const time = takes(
  'a time: a Date, a text or a number',
  (value) => value instanceof Date || typeof value === 'string' || typeof value === 'number',
);

export const TASK_FILTER: Checks<TaskFilter> = {
  contextId: filled,
  state: oneOf(...TASK_STATES),
  statusSince: time,
  pageSize: count,
  pageToken: text,
  historyLength: whole,
  includeArtifacts: flag,
};

const WEBHOOKS_ON_WIRES: readonly string[] = ['pushNotificationConfig', 'taskPushNotificationConfig'];

/** The names that options have in the protocol itself. */
const wireName: Advice = (name) =>
  WEBHOOKS_ON_WIRES.includes(name) ? `the option ${name} is pushConfig here` : undefined;

/** Throws a TypeError for options of a send that nobody would read, or that cannot be meant. */
export function checkSend(of: string, options: SendOptions): void {
  checkOptions(of, options, SEND_OPTIONS, wireName);
  if (options.returnImmediately && options.blocking) {
    requireRight(of, 'returnImmediately and blocking say the opposite of each other: leave one of them out');
  }
}
