import type { A2AJson, LogEntry } from '../../../../parley/src/server/operator/console-api.ts';

/** The shapes of A2A 1.0 that the page reads. What an agent puts into them is not trusted: each use looks at its type. */
export interface WirePart {
  readonly text?: unknown;
  readonly raw?: unknown;
  readonly url?: unknown;
  readonly data?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: A2AJson;
}

export interface WireMessage {
  readonly messageId: string;
  readonly role: string;
  readonly parts?: readonly WirePart[];
  readonly metadata?: A2AJson;
}

export interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly parts?: readonly WirePart[];
}

export interface WireStatus {
  readonly state: string;
  readonly message?: WireMessage;
  readonly timestamp?: string;
}

interface WireTask {
  readonly status?: WireStatus;
  readonly history?: readonly WireMessage[];
  readonly artifacts?: readonly WireArtifact[];
}

/** What one event of a log says. */
export interface WireEvent {
  readonly task?: WireTask;
  readonly message?: WireMessage;
  readonly statusUpdate?: { readonly status: WireStatus };
  readonly artifactUpdate?: {
    readonly artifact: WireArtifact;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
  };
  readonly metadata?: A2AJson;
}

export function eventOf(entry: LogEntry): WireEvent {
  return (entry.event ?? {}) as WireEvent;
}

/** The text of parts, in one line; what is no text is named by its kind. */
export function describeParts(parts: readonly WirePart[] | undefined, most: number): string {
  const words: string[] = [];
  let length = 0;
  for (const part of parts ?? []) {
    const word = describePart(part, most);
    words.push(word);
    length += word.length;
    if (length > most) break;
  }
  return words.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, most);
}

function describePart(part: WirePart, most: number): string {
  if (typeof part.text === 'string') return part.text.slice(0, most);
  if (part.filename !== undefined) return `[${part.filename}]`;
  if (part.data !== undefined) return '[data]';
  return `[${part.mediaType ?? (part.url === undefined ? 'file' : 'link')}]`;
}
