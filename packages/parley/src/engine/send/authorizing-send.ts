import { A2AError } from '../../model/errors/errors.ts';
import type { Message } from '../../model/task.ts';
import type { TaskHead } from '../ports.ts';
import type { MessageDraft } from '../turn/runner.ts';
import type { SendCall } from './sends.ts';

/** The send that brings a task the credential that it waits for. Throws where it waits for none. */
export function authorizingSend(
  { id: taskId, status, agent, owner }: TaskHead,
  { parts, metadata }: MessageDraft,
  messageId: string,
): SendCall {
  if (status.state !== 'auth-required') {
    const why = `The task does not wait for an authorization: it is ${status.state}`;
    throw new A2AError('UNSUPPORTED_OPERATION', why, { metadata: { taskId, state: status.state } });
  }
  const message: Message = { messageId, role: 'user', taskId, parts, metadata };
  const answers = status.message?.messageId;
  const input = { tenant: owner.tenant, message, answers, acceptedOutputModes: [], returnImmediately: true };
  return { scope: { agent, owner }, input, extensions: [], isSecret: true };
}
