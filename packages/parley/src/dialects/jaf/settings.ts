import type { JsonObject } from '../../model/basics/json.ts';
import { A2AError, invalidParams, quoted } from '../../model/errors/errors.ts';
import { PRIORITIES, type Priority } from '../../model/operations.ts';
import type { ReadHeader, SendSettings } from '../dialect.ts';
import type { Members } from '../wire/members.ts';
import { readEnum, readInteger } from '../wire/request-members.ts';
import { plainEnum } from '../wire/values/enums.ts';
import { parseInteger } from '../wire/values/integers.ts';

const LONGEST_TRACE = 200;

const PRIORITY = plainEnum(PRIORITIES);

export const NO_WEBHOOKS = 'JAF has no push notifications: use A2A 0.3 or 1.0 for them';

/** `configuration` of a send. The document has no webhooks: one that is sent would be waited for in vain. */
export function readConfiguration(members: Members): SendSettings {
  if (members.has('pushNotificationConfig', 'push_notification_config', 'pushNotification', 'pushConfig')) {
    throw new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', NO_WEBHOOKS);
  }
  return {
    maxTurns: readInteger(members, 'maxTurns', 'max_turns', 1),
    timeout: readInteger(members, 'timeout', undefined, 1, Number.MAX_SAFE_INTEGER),
    priority: readEnum(members, PRIORITY, 'priority'),
  };
}

/** The priority that a message has in its metadata; those are the sender's own, so other values are left alone. */
export function priorityIn(metadata: JsonObject | undefined): Priority | undefined {
  return PRIORITIES.find((priority) => priority === metadata?.priority);
}

/** `X-A2A-Priority`, `-Timeout` and `-Trace-Id`. `X-A2A-Client` only tells that it is a client of JAF. */
export function settingsOfHeaders(header: ReadHeader): SendSettings {
  return {
    priority: priorityOf(header('x-a2a-priority')),
    timeout: timeoutOf(header('x-a2a-timeout')),
    trace: header('x-a2a-trace-id')?.trim().slice(0, LONGEST_TRACE) || undefined,
  };
}

const VERSION = /^0\.3(\.\d+)?$/;

/** Throws VERSION_NOT_SUPPORTED for another `X-A2A-Version` than 0.3. */
export function requireVersion(header: ReadHeader): void {
  const version = header('x-a2a-version');
  if (!version || VERSION.test(version.trim())) return;
  const problem = `X-A2A-Version ${quoted(version)} is not supported; supported: 0.3.0`;
  throw new A2AError('VERSION_NOT_SUPPORTED', problem, {
    metadata: { supported: '0.3.0', requested: quoted(version) },
  });
}

function priorityOf(value: string | undefined): Priority | undefined {
  if (!value) return undefined;
  const priority = PRIORITIES.find((known) => known === value.trim().toLowerCase());
  if (!priority) throw invalidParams({ field: 'X-A2A-Priority', description: PRIORITY.expectation });
  return priority;
}

function timeoutOf(value: string | undefined): number | undefined {
  if (!value) return undefined;
  const timeout = parseInteger(value.trim());
  if (timeout === undefined || timeout < 1) {
    throw invalidParams({ field: 'X-A2A-Timeout', description: 'must be a number of milliseconds, at least 1' });
  }
  return timeout;
}
