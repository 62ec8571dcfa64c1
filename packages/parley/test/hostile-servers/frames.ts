import type { Attack } from './hostile-server.ts';

export const IDS = { taskId: 't', contextId: 'c' } as const;
const TIMESTAMP = '2026-03-01T12:00:00.000Z';

export const statusOf = (state: string, message?: object) => ({
  state: `TASK_STATE_${state}`,
  timestamp: TIMESTAMP,
  ...(message && { message }),
});
export const taskOf = (state: string, more: object = {}) => ({
  id: IDS.taskId,
  contextId: IDS.contextId,
  status: statusOf(state),
  ...more,
});
export const showsTask = (state: string, more: object = {}) => ({ task: taskOf(state, more) });
export const turns = (state: string, more: object = {}) => ({
  statusUpdate: { ...IDS, status: statusOf(state), ...more },
});
export const writes = (text: string, more: object = {}) => ({
  artifactUpdate: { ...IDS, artifact: { artifactId: 'a', parts: [{ text }] }, append: true, ...more },
});

/** A frame of a stream. */
export function frameOf({ id }: Pick<Attack, 'id'>, result: unknown, position?: string | number): string {
  const data = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
  return position === undefined ? data : `id: ${position}\n${data}`;
}

export function beginStream({ response }: Attack, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
}

/** A stream of these events that then ends. */
export function streams(attack: Attack, ...events: readonly unknown[]): void {
  beginStream(attack);
  attack.response.end(events.map((event) => frameOf(attack, event)).join(''));
}

/** Responds to a call that is no stream. */
export function answers({ response, id }: Attack, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Writes the same without an end, as quickly as it is taken; waits for nothing but the client. */
export async function writesForEver(
  { response, socket }: Attack,
  piece: string | Uint8Array | (() => string),
): Promise<void> {
  const isTaken = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  while (!socket.destroyed && !response.destroyed) {
    if (!response.write(typeof piece === 'function' ? piece() : piece)) await isTaken();
  }
}
