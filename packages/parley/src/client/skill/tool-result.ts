import type { JsonValue } from '../../model/basics/json.ts';
import { bytesOf, dataPartOf, textOf } from '../../model/parts.ts';
import { isReasoning } from '../../model/reasoning.ts';
import { type BytesPart, isTask, type LinkPart, type Message, type Part, type Task } from '../../model/task.ts';

/** A file of a result. Its content is here where a language model can read it. */
export interface ToolFile {
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
  /** Bytes of the content; unknown for a file that lives at an address. */
  readonly size?: number | undefined;
  readonly url?: string | undefined;
  /** The content of a file of text. */
  readonly text?: string | undefined;
  /** The content of another file, as base64; only where the tool was made with `files: 'inline'`. */
  readonly base64?: string | undefined;
}

export interface ToolOutput {
  /** The text of the result; where it has none, its data as JSON. */
  readonly output: string;
  readonly success: boolean;
  readonly error?: string | undefined;
  /** The data of the result, where it has some. */
  readonly data?: JsonValue | undefined;
  /** The files of the result, where it has some. */
  readonly files?: readonly ToolFile[] | undefined;
  /** The number of files beyond the first 32, which are not listed. */
  readonly filesLeftOut?: number | undefined;
}

/** The handling of files that are no text: described to the model, or handed to it. */
export type ToolFiles = 'describe' | 'inline';

/** Characters of text files in one output; the rest is described. */
const MOST_FILE_TEXT = 2 ** 16;
/** Characters of base64 in one output; the rest is described. */
const MOST_FILE_BASE64 = 2 ** 23;
/** Files of one output; others are counted. */
const MOST_FILES = 32;

/** The result of an agent as the output of a tool. */
export function toolOutputOf(answer: Task | Message, files: ToolFiles): ToolOutput {
  const result = withoutReasoning(answer);
  const data = dataPartOf(result)?.data;
  const found = partsOf(result).filter(isFile);
  const listed = listFiles(found.slice(0, MOST_FILES), files);
  return {
    output: textOf(result) || (data === undefined ? '' : JSON.stringify(data)),
    success: true,
    ...(data !== undefined && { data }),
    ...(listed.length > 0 && { files: listed }),
    ...(found.length > MOST_FILES && { filesLeftOut: found.length - MOST_FILES }),
  };
}

function withoutReasoning(answer: Task | Message): Task | Message {
  if (!isTask(answer) || !answer.artifacts.some(isReasoning)) return answer;
  return { ...answer, artifacts: answer.artifacts.filter((artifact) => !isReasoning(artifact)) };
}

function partsOf(result: Task | Message): readonly Part[] {
  if (!isTask(result)) return result.parts;
  const parts = result.artifacts.flatMap((artifact) => artifact.parts);
  return parts.length > 0 ? parts : (result.status.message?.parts ?? []);
}

type FilePart = BytesPart | LinkPart;

function isFile(part: Part): part is FilePart {
  return part.kind === 'bytes' || part.kind === 'link';
}

function listFiles(found: readonly FilePart[], files: ToolFiles): readonly ToolFile[] {
  const room = { text: MOST_FILE_TEXT, base64: files === 'inline' ? MOST_FILE_BASE64 : 0 };
  return found.map((part) => {
    const { filename: name, mediaType } = part;
    const head = { ...(name !== undefined && { name }), ...(mediaType !== undefined && { mediaType }) };
    if (part.kind === 'link') return { ...head, url: part.url };
    const size = sizeOf(part);
    if (isText(mediaType)) {
      const text = size > room.text ? undefined : decoded(part);
      if (text === undefined) return { ...head, size };
      room.text -= size;
      return { ...head, size, text };
    }
    if (part.bytes.length > room.base64) return { ...head, size };
    room.base64 -= part.bytes.length;
    return { ...head, size, base64: part.bytes };
  });
}

/** The text of a file; undefined where its bytes are not what its agent says. */
function decoded(part: BytesPart): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part));
  } catch {
    return undefined;
  }
}

function sizeOf({ bytes }: BytesPart): number {
  const padding = bytes.endsWith('==') ? 2 : bytes.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((bytes.length * 3) / 4) - padding);
}

const TEXT_TYPE = /^(text\/|application\/(json|xml|yaml|x-yaml|x-ndjson|javascript|sql)\b)|\+(json|xml)\b/i;

function isText(mediaType: string | undefined): boolean {
  return mediaType !== undefined && TEXT_TYPE.test(mediaType);
}
