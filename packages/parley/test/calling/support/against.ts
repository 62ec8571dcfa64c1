import type { BindingCaller } from '../../../src/bindings/caller.ts';
import type { A2AError } from '../../../src/model/errors/errors.ts';
import type { OperationInputs } from '../../../src/model/operations.ts';
import { CALL, callerOf, collected, errorOf, type Way } from './callers.ts';
import { type Handler, hostileServer } from './hostile-server.ts';

export const TASK = { tenant: '', id: 't-1' };
export const SEND: OperationInputs['sendMessage'] = {
  tenant: '',
  message: { messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
  acceptedOutputModes: [],
  returnImmediately: false,
};

/** The task of a server's answer in 1.0 and in 0.3. */
export const WIRE_TASK = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
export const OLD_TASK = { id: 't-1', contextId: 'c-1', status: { state: 'working' } };

/** A caller of a server that answers as the test wants. */
export async function against(way: Way, handler: Handler, limits = {}): Promise<BindingCaller> {
  return callerOf(way, { fetch, url: await hostileServer(handler), limits });
}

/** The error of a unary call and that of a stream. */
export async function errorsOf(way: Way, handler: Handler, limits = {}): Promise<readonly A2AError[]> {
  const caller = await against(way, handler, limits);
  return [
    await errorOf(caller.unary('getTask', TASK, CALL)),
    await errorOf(collected(caller.stream('sendStreamingMessage', SEND, CALL))),
  ];
}
