import { isPlainObject } from '../model/basics/json.ts';
import { A2AError } from '../model/errors/errors.ts';
import type { StreamEvent } from '../model/task.ts';
import { callV0_3 } from './v0_3/calling/index.ts';
import { callV1_0 } from './v1_0/calling/index.ts';
import { decodeNotification as decodeDraft } from './v1_draft/events.ts';

/** The vocabulary of a webhook's body: a version, or the draft of 1.0. */
export type NotificationDialect = '1.0' | '0.3' | 'v1_draft';

interface ReceivedNotification {
  readonly event: StreamEvent;
  readonly dialect: NotificationDialect;
}

const WRAPPERS = ['task', 'message', 'statusUpdate', 'artifactUpdate', 'status_update', 'artifact_update'];

/**
 * Reads the body of a webhook's request in whichever vocabulary it is: a StreamResponse of 1.0, an object with `kind` of 0.3,
 * the flat body of the draft. Throws INVALID_RESPONSE that names the members that are wrong.
 */
export function decodeNotification(body: unknown): ReceivedNotification {
  if (!isPlainObject(body)) throw new A2AError('INVALID_RESPONSE', 'The body of a webhook must be a JSON object');
  if ('kind' in body) return { event: callV0_3.decodeEvent(body), dialect: '0.3' };
  if (WRAPPERS.some((name) => name in body && isPlainObject(body[name]))) return decodeWrapped(body);
  if ('taskId' in body && 'status' in body) return { event: decodeDraft(body), dialect: 'v1_draft' };
  // A task without anything around it: some servers of 0.3 leave `kind` out, some of 1.0 the wrapper.
  if ('id' in body && 'status' in body) return decodeWrapped({ task: body });
  throw new A2AError('INVALID_RESPONSE', `The body of a webhook must have one of ${WRAPPERS.slice(0, 4).join(', ')}`);
}

/** Both versions have wrappers, and differ in the names of states, roles and parts. */
function decodeWrapped(body: Readonly<Record<string, unknown>>): ReceivedNotification {
  return hasNamesOfV0_3(body)
    ? { event: callV0_3.decodeEvent(body), dialect: '0.3' }
    : { event: callV1_0.decodeEvent(body), dialect: '1.0' };
}

/** 0.3 writes states and roles in lower case, and says of each part which kind it is. */
function hasNamesOfV0_3(body: Readonly<Record<string, unknown>>): boolean {
  const inner = Object.values(body).find(isPlainObject) ?? {};
  const { status, role, artifact, parts } = inner;
  const name = isPlainObject(status) ? status.state : role;
  if (typeof name === 'string') return name === name.toLowerCase();
  const listed = isPlainObject(artifact) ? artifact.parts : parts;
  return Array.isArray(listed) && listed.some((part) => isPlainObject(part) && 'kind' in part);
}
