import type { PushConfigRecord } from '../../../engine/ports.ts';
import { isPlainObject, type JsonObject, type JsonValue } from '../../../model/basics/json.ts';
import type { TraceContext } from '../../../model/call.ts';
import { isPushEvents, type PushEvents } from '../../../model/extensions/push.ts';
import type { PushAuthentication, PushConfig } from '../../../model/operations.ts';

/** The body of a stored push config. */
export interface WebhookConfig {
  readonly url: string;
  readonly scheme?: string | undefined;
  readonly events: PushEvents;
  /** The place of the log at which the task is shown before any event; undefined where it is not. */
  readonly snapshotAt?: number | undefined;
  /** Another one for each config: one that replaces another is not taken for it. */
  readonly revision: string;
  /** The trace of the request that registered it, which its deliveries are part of. */
  readonly trace?: TraceContext | undefined;
  readonly secrets: WebhookSecrets;
}

/** The parts of a config that no response shows. */
export interface WebhookSecrets {
  readonly token?: string | undefined;
  readonly credentials?: string | undefined;
}

/** Encrypted, where the server has a key for it. */
export type StoredSecrets = { readonly sealed: string } | WebhookSecrets;

export function bodyOf(config: Omit<WebhookConfig, 'secrets'>, secrets: StoredSecrets): JsonObject {
  const { url, scheme, events, snapshotAt, revision, trace } = config;
  return {
    url,
    events,
    revision,
    ...(scheme !== undefined && { scheme }),
    ...(snapshotAt !== undefined && { snapshotAt }),
    ...(trace && { trace: { ...trace } as JsonObject }),
    secrets: Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined)),
  };
}

/** A stored body, whose secrets may be encrypted still. */
export interface StoredConfig extends Omit<WebhookConfig, 'secrets'> {
  readonly secrets: StoredSecrets;
}

export function readBody({ body }: Pick<PushConfigRecord, 'body'>): StoredConfig {
  const { url, scheme, events, snapshotAt, revision, trace, secrets } = body;
  return {
    url: textOf(url) ?? '',
    scheme: textOf(scheme),
    events: isPushEvents(events) ? events : 'changes',
    snapshotAt: typeof snapshotAt === 'number' ? snapshotAt : undefined,
    revision: textOf(revision) ?? '',
    trace: readTrace(trace),
    secrets: isPlainObject(secrets) ? readSecrets(secrets) : {},
  };
}

/** The config as responses show it: without token and credentials. */
export function shownConfig(record: PushConfigRecord): PushConfig {
  const { url, scheme } = readBody(record);
  const authentication: PushAuthentication | undefined = scheme === undefined ? undefined : { scheme };
  return { id: record.id, taskId: record.taskId, url, authentication };
}

export function readSecrets({ sealed, token, credentials }: Readonly<Record<string, unknown>>): StoredSecrets {
  if (typeof sealed === 'string') return { sealed };
  return { token: textOf(token), credentials: textOf(credentials) };
}

function readTrace(value: JsonValue | undefined): TraceContext | undefined {
  if (!isPlainObject(value) || typeof value.id !== 'string') return undefined;
  return { id: value.id, traceparent: textOf(value.traceparent), tracestate: textOf(value.tracestate) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
