import type { RpcFrame, Wire } from './rpc.ts';

/** The member of a frame that says what it is. */
export function kindOf(frame: RpcFrame | undefined): string | undefined {
  return frame && Object.keys(frame.result)[0];
}

/** The state that a frame shows, if it shows one. */
export function stateOf(frame: RpcFrame | undefined): string | undefined {
  return (frame?.result.task ?? frame?.result.statusUpdate)?.status.state;
}

/** All states of a stream in their order. */
export function statesOf(frames: readonly RpcFrame[]): string[] {
  return frames.flatMap((frame) => stateOf(frame) ?? []);
}

export function idsOf(frames: readonly RpcFrame[]): (number | undefined)[] {
  return frames.map((frame) => frame.id);
}

/** Frames as they travelled, without the JSON-RPC envelope. */
export function payloadsOf(frames: readonly RpcFrame[]): Wire[] {
  return frames.map((frame) => frame.result);
}

/** Whether this is the artifact update that brings the text. */
export function brings(text: string): (frame: RpcFrame) => boolean {
  return (frame) => frame.result?.artifactUpdate?.artifact.parts.some((part: Wire) => part.text === text) === true;
}

/** Whether this frame shows the state. */
export function shows(state: string): (frame: RpcFrame) => boolean {
  return (frame) => stateOf(frame) === state;
}

/** All text of parts, joined. */
export function textOfParts(parts: readonly Wire[] = []): string {
  return parts.map((part) => part.text ?? '').join('');
}

/** The text of all artifacts of a wire task. */
export function textOfTask(task: Wire): string {
  return (task.artifacts ?? []).map((artifact: Wire) => textOfParts(artifact.parts)).join('');
}

/** What a reader that joins chunks has at the end: the snapshot's text, then that of the updates. */
export function textOfStream(frames: readonly RpcFrame[]): string {
  return frames
    .map(({ result }) => (result.task ? textOfTask(result.task) : textOfParts(result.artifactUpdate?.artifact.parts)))
    .join('');
}

/** The texts of a wire task's history. */
export function talkOf(task: Wire): string[] {
  return (task.history ?? []).map((message: Wire) => textOfParts(message.parts));
}
