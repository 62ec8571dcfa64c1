import { A2AError } from '../../../model/errors/errors.ts';
import type { SendInput } from '../../../model/operations.ts';
import type { CallingDialect } from '../../calling/calling.ts';
import type { WireValue } from '../../dialect.ts';
import { callV0_3 } from '../../v0_3/calling/index.ts';
import { NO_WEBHOOKS, priorityIn } from '../settings.ts';
import { encodeMessage } from '../task/messages.ts';

/** The parameters of JAF's methods (seed S1). */
export const requestWriters: CallingDialect['encodeRequest'] = {
  ...callV0_3.encodeRequest,
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id }) => ({ id }),
  cancelTask: ({ id, reason }) => (reason === undefined ? { id } : { id, reason }),
  subscribeToTask: ({ id }) => ({ id }),
};

/** Messages must name a context: a new one has the name of the message that begins it. */
function encodeSend({ message, maxTurns, timeout, priority, metadata, pushConfig }: SendInput): WireValue {
  if (pushConfig) throw new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', NO_WEBHOOKS);
  const contextId = message.contextId ?? (message.taskId ? undefined : `ctx-${message.messageId}`);
  const ownPriority = priority === priorityIn(message.metadata) ? undefined : priority;
  const settings = Object.entries({ maxTurns, timeout, priority: ownPriority }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    message: encodeMessage({ ...message, contextId }),
    ...(settings.length > 0 && { configuration: Object.fromEntries(settings) }),
    ...(metadata && { metadata }),
  };
}
