import { Buffer } from 'node:buffer';
import { bytesOf } from '../../model/parts.ts';
import { isTask, type Message, type Part, type Task } from '../../model/task.ts';
import { extensionOf } from '../media-types.ts';

/** A file, a link or data in an answer. */
export interface Attachment {
  /** As the agent names it; not to be trusted. */
  readonly name: string;
  readonly mediaType: string;
  readonly part: Part;
  /** Bytes; undefined for a link. */
  readonly size: number | undefined;
}

/** Parts of a task, by the artifact that they are in. */
export type SeenParts = ReadonlySet<string>;

export function seenIn({ artifacts }: Task): SeenParts {
  return new Set(artifacts.flatMap(({ artifactId, parts }) => parts.map((part) => keyOf(artifactId, part))));
}

function keyOf(artifactId: string, part: Part): string {
  return `${artifactId} ${JSON.stringify(part)}`;
}

/** The attachments of a response: its parts that are not plain text, and texts with a file name. */
export function attachmentsOf(answer: Task | Message, seen: SeenParts = new Set()): readonly Attachment[] {
  if (!isTask(answer)) return attachmentsIn(answer.parts);
  const { artifacts, status } = answer;
  const results = artifacts.flatMap(({ artifactId, name, parts }) =>
    attachmentsIn(
      parts.filter((part) => !seen.has(keyOf(artifactId, part))),
      name,
    ),
  );
  return [...results, ...attachmentsIn(status.message?.parts ?? [])];
}

function attachmentsIn(parts: readonly Part[], name?: string): readonly Attachment[] {
  return parts.filter(isAttachment).map((part) => attachment(part, name));
}

function isAttachment(part: Part): boolean {
  return part.kind !== 'text' || part.filename !== undefined;
}

function attachment(part: Part, name: string | undefined): Attachment {
  const mediaType = part.mediaType ?? defaultType(part);
  const chosen = part.filename ?? name ?? part.kind;
  const isComplete = part.filename !== undefined || part.kind === 'link' || /\.\w{1,8}$/.test(chosen);
  const extension = isComplete ? '' : extensionOf(mediaType);
  return { name: `${chosen}${extension}`, mediaType, part, size: contentOf(part)?.length };
}

function defaultType(part: Part): string {
  switch (part.kind) {
    case 'data':
      return 'application/json';
    case 'text':
      return 'text/plain';
    case 'bytes':
    case 'link':
      return 'application/octet-stream';
  }
}

/** The content of a part as a file; undefined for a link. */
export function contentOf(part: Part): Uint8Array | undefined {
  switch (part.kind) {
    case 'data':
      return Buffer.from(`${JSON.stringify(part.data, null, 2)}\n`);
    case 'text':
      return Buffer.from(part.text);
    case 'bytes':
      return bytesOf(part);
    case 'link':
      return undefined;
  }
}
