/** The bytes that Parley sends, put together as text without a model behind them. */
export interface FloorTask {
  readonly id: string;
  readonly contextId: string;
  readonly artifactId: string;
  readonly history: string;
}

export interface FloorRequest {
  readonly id: number;
  readonly method: string;
  readonly params: {
    readonly id?: string;
    readonly message?: { readonly messageId: string; readonly parts: readonly { readonly text: string }[] };
  };
}

export function newTask(newId: () => string, { messageId, text }: { messageId: string; text: string }): FloorTask {
  const id = newId();
  const contextId = newId();
  const parts = JSON.stringify([{ text }]);
  const history = `[{"messageId":"${messageId}","role":"ROLE_USER","parts":${parts},"contextId":"${contextId}","taskId":"${id}"}]`;
  return { id, contextId, artifactId: newId(), history };
}

export function answer(requestId: number, result: string): string {
  return `{"jsonrpc":"2.0","id":${requestId},"result":${result}}`;
}

export function taskText(task: FloorTask, state: string, text?: string): string {
  const artifacts =
    text === undefined ? '' : `,"artifacts":[{"artifactId":"${task.artifactId}","parts":[{"text":"${text}"}]}]`;
  return `{"id":"${task.id}","status":${status(state)},"contextId":"${task.contextId}"${artifacts},"history":${task.history}}`;
}

export function taskFrame(seq: number, requestId: number, task: FloorTask, state: string): string {
  return frame(seq, answer(requestId, `{"task":${taskText(task, state)}}`));
}

export function statusFrame(seq: number, requestId: number, task: FloorTask, state: string): string {
  const update = `{"taskId":"${task.id}","contextId":"${task.contextId}","status":${status(state)}}`;
  return frame(seq, answer(requestId, `{"statusUpdate":${update}}`));
}

export function chunkFrame(seq: number, requestId: number, task: FloorTask, text: string): string {
  const artifact = `{"artifactId":"${task.artifactId}","parts":[{"text":"${text}"}]}`;
  const update = `{"taskId":"${task.id}","contextId":"${task.contextId}","artifact":${artifact},"append":true}`;
  return frame(seq, answer(requestId, `{"artifactUpdate":${update}}`));
}

function frame(seq: number, data: string): string {
  return `id: ${seq}\ndata: ${data}\n\n`;
}

function status(state: string): string {
  return `{"state":"TASK_STATE_${state}","timestamp":"${new Date().toISOString()}"}`;
}
