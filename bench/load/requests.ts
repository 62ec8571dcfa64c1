import type { Pace } from '../servers/script.ts';

/** What the agent shall write: see `servers/script.ts`. */
export interface Script {
  readonly chunks: number;
  readonly bytes?: number;
  readonly pace?: Pace;
  /** Calls of a tool before the last response of a model; every response has all chunks. */
  readonly toolCalls?: number;
}

export function send(script: Script): string {
  return rpc('SendMessage', { message: messageOf(script) });
}

export function sendStreaming(script: Script): string {
  return rpc('SendStreamingMessage', { message: messageOf(script) });
}

export function getTask(id: string): string {
  return rpc('GetTask', { id });
}

export function subscribe(id: string): string {
  return rpc('SubscribeToTask', { id });
}

export function cancelTask(id: string): string {
  return rpc('CancelTask', { id });
}

export function listCompleted(pageSize: number, pageToken: string): string {
  return rpc('ListTasks', { status: 'TASK_STATE_COMPLETED', pageSize, ...(pageToken === '' ? {} : { pageToken }) });
}

let messages = 0;

/** A message that no other request has. */
export function messageOf({ chunks, bytes = 16, pace = 'paced', toolCalls = 0 }: Script): {
  readonly messageId: string;
  readonly role: string;
  readonly parts: readonly { readonly text: string }[];
} {
  messages++;
  const text = `${chunks} ${bytes} ${pace}${toolCalls > 0 ? ` ${toolCalls}` : ''}`;
  return { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text }] };
}

function rpc(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
