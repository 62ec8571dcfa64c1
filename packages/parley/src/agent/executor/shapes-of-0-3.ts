import type { Artifact, Message, Part, Task } from '../../model/task.ts';

/** Messages and tasks in the shapes of the official SDK's 0.3: the JSON of that version. */

export function message({ parts, ...rest }: Message) {
  return { kind: 'message', ...rest, parts: parts.map(part) };
}

export function task({ status, artifacts, history, ...rest }: Task) {
  return {
    kind: 'task',
    ...rest,
    status: { ...status, message: status.message && message(status.message) },
    artifacts: artifacts.map(artifact),
    history: history.map(message),
  };
}

function artifact({ parts, ...rest }: Artifact) {
  return { ...rest, parts: parts.map(part) };
}

function part(part: Part) {
  const { mediaType: mimeType, filename: name, metadata } = part;
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text, metadata };
    case 'bytes':
      return { kind: 'file', file: { bytes: part.bytes, mimeType, name }, metadata };
    case 'link':
      return { kind: 'file', file: { uri: part.url, mimeType, name }, metadata };
    case 'data':
      return { kind: 'data', data: part.data, metadata };
  }
}
