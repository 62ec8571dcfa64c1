import type { Artifact, Part, ServerHooks, StreamEvent } from 'parley-a2a';

const CARD_NUMBER = /\b(?:\d[ -]?){12,18}\d\b/g;

function hidden(part: Part): Part {
  return part.kind === 'text' ? { ...part, text: part.text.replace(CARD_NUMBER, '[number]') } : part;
}

function hiddenIn(artifact: Artifact): Artifact {
  return { ...artifact, parts: artifact.parts.map(hidden) };
}

/** Readers never see the number of a payment card; the task in the store keeps it. A number must come in one chunk. */
export const redaction: ServerHooks = {
  transform(event) {
    switch (event.kind) {
      case 'artifact':
        return { ...event, artifact: hiddenIn(event.artifact) };
      case 'task':
        return { ...event, task: { ...event.task, artifacts: event.task.artifacts.map(hiddenIn) } };
      case 'message':
        return { ...event, message: { ...event.message, parts: event.message.parts.map(hidden) } };
      case 'status':
        return event;
    }
  },
};

/** Counts the ends of turns by agent and state, for a dashboard. */
export function turnCounter(): ServerHooks & { readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    onEvent(event: StreamEvent, { agent }) {
      if (event.kind !== 'status' || event.status.state === 'working') return;
      const name = `${agent} ${event.status.state}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}
