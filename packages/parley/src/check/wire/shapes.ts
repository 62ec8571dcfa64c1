import type { Binding, Version } from '../table/rule-info.ts';
import { isObject, listAt, memberOf, textAt } from './json.ts';

/** The three JSON forms: that of 1.0, the JSON types of 0.3, and the ProtoJSON that 0.3 has over HTTP+JSON and gRPC. */
export type Form = '1.0' | '0.3' | '0.3 proto';

export function formOf(version: Version, binding: Binding): Form {
  if (version === '1.0') return '1.0';
  return binding === 'jsonrpc' ? '0.3' : '0.3 proto';
}

/** A state whatever its form, such as `input-required`. */
type State = string;

export const TERMINAL: ReadonlySet<State> = new Set(['completed', 'failed', 'canceled', 'rejected']);
export const INTERRUPTED: ReadonlySet<State> = new Set(['input-required', 'auth-required']);

function stateOf(written: unknown): State {
  if (typeof written !== 'string') return '';
  const name = written
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return name === 'cancelled' ? 'canceled' : name;
}

/** A task as a response shows it, in whatever form. */
export interface SeenTask {
  readonly id: string;
  readonly contextId: string | undefined;
  readonly state: State;
  readonly timestamp: string | undefined;
  readonly statusMessage: unknown;
  readonly history: readonly unknown[] | undefined;
  readonly artifacts: readonly unknown[] | undefined;
  readonly raw: unknown;
}

export function readTask(given: unknown): SeenTask | undefined {
  const raw = isObject(memberOf(given, 'task')) ? memberOf(given, 'task') : given;
  const id = textAt(raw, 'id');
  if (id === undefined || !isObject(memberOf(raw, 'status'))) return undefined;
  return {
    id,
    contextId: textAt(raw, 'contextId'),
    state: stateOf(memberOf(raw, 'status', 'state')),
    timestamp: textAt(raw, 'status', 'timestamp'),
    statusMessage: memberOf(raw, 'status', 'message'),
    history: listAt(raw, 'history'),
    artifacts: listAt(raw, 'artifacts'),
    raw,
  };
}

export interface Seen {
  readonly kind: 'task' | 'message' | 'status' | 'artifact' | 'nothing';
  /** The object without what it is wrapped in. */
  readonly value: unknown;
}

const WRAPPERS = { task: 'task', message: 'message', statusUpdate: 'status', artifactUpdate: 'artifact' } as const;
const KINDS: Readonly<Record<string, Seen['kind']>> = {
  task: 'task',
  message: 'message',
  'status-update': 'status',
  'artifact-update': 'artifact',
};

/**
 * The result of a send, or an event of a stream. One that lacks its wrapper, or has one too many, is understood all the
 * same: that is the business of one rule, and the others look at the rest.
 */
export function readPayload(result: unknown): Seen {
  const kind = KINDS[textAt(result, 'kind') ?? ''];
  if (kind !== undefined) return { kind, value: result };
  for (const [name, wrapped] of Object.entries(WRAPPERS)) {
    const value = memberOf(result, name);
    // A status has a message as well, and is none.
    if (isObject(value)) return { kind: wrapped, value };
  }
  return readTask(result) === undefined ? { kind: 'nothing', value: result } : { kind: 'task', value: result };
}

/** The state that an event shows; undefined for artifacts and messages. */
export function stateIn({ kind, value }: Seen): State | undefined {
  return kind === 'task' || kind === 'status' ? stateOf(memberOf(value, 'status', 'state')) : undefined;
}

/** The parts of a message or an artifact. */
export function partsOf(holder: unknown): readonly unknown[] {
  return listAt(holder, 'parts') ?? listAt(holder, 'content') ?? [];
}

/** All text of a message or an artifact. */
export function textIn(holder: unknown): string {
  return partsOf(holder)
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
}

export interface MessageFields {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly referenceTaskIds?: readonly string[] | undefined;
  readonly metadata?: unknown;
  readonly extensions?: readonly string[] | undefined;
}

/** A message of the user with one text. */
export function textMessage(
  form: Form,
  messageId: string,
  text: string,
  fields: MessageFields = {},
): Record<string, unknown> {
  switch (form) {
    case '1.0':
      return { messageId, role: 'ROLE_USER', parts: [{ text }], ...fields };
    case '0.3':
      return { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }], ...fields };
    case '0.3 proto':
      return { messageId, role: 'ROLE_USER', content: [{ text }], ...fields };
  }
}

export interface SendSettings {
  readonly historyLength?: number | undefined;
  /** Does not wait for the end of the task. */
  readonly atOnce?: boolean | undefined;
  readonly push?: unknown;
  readonly acceptedOutputModes?: readonly string[] | undefined;
}

/** The `configuration` of a send. */
export function configuration(form: Form, { atOnce, push, ...rest }: SendSettings): Record<string, unknown> {
  if (form === '1.0') {
    return {
      ...rest,
      ...(atOnce !== undefined && { returnImmediately: atOnce }),
      ...(push !== undefined && { taskPushNotificationConfig: push }),
    };
  }
  const pushName = form === '0.3' ? 'pushNotificationConfig' : 'pushNotification';
  return { ...rest, blocking: !atOnce, ...(push !== undefined && { [pushName]: push }) };
}
