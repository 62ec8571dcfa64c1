import type { FilePart, ModelMessage, TextPart } from 'ai';
import type { TaskContext } from '../../agent/task-context.ts';
import type { BytesPart, LinkPart, Message, Part } from '../../model/task.ts';

/** The files that a model call may still get. */
export interface FileBudget {
  left: number;
  readonly maxBytes: number;
}

export interface FileReading {
  readonly task: TaskContext;
  readonly budget: FileBudget;
  /** A file that cannot be had fails the task; else the model is told that it cannot be had. */
  readonly isRequired: boolean;
}

type Content = TextPart | FilePart;

/** A message of the caller for the model: texts, data as JSON, files with their content. */
export async function userMessage(message: Message, reading: FileReading): Promise<ModelMessage> {
  const contents = await Promise.all(message.parts.map(async (part) => contentOf(part, reading)));
  const filled = contents.filter((content) => content.type !== 'text' || content.text !== '');
  if (filled.every((content) => content.type === 'text')) {
    return { role: 'user', content: filled.map((content) => content.text).join('\n') || '(an empty message)' };
  }
  return { role: 'user', content: filled };
}

/** The earlier words of the agent, if only these are known. Undefined if it said nothing. */
export function agentMessage(parts: readonly Part[]): ModelMessage | undefined {
  const texts = parts.map((part) => (isFile(part) ? named(part, '') : wordsOf(part)));
  const content = texts.filter((text) => text !== '').join('\n');
  return content === '' ? undefined : { role: 'assistant', content };
}

function contentOf(part: Part, reading: FileReading): Content | Promise<Content> {
  if (!isFile(part)) return { type: 'text', text: wordsOf(part) };
  const { budget } = reading;
  if (budget.left <= 0) return { type: 'text', text: named(part, 'not shown') };
  budget.left -= 1;
  return fileContent(part, reading);
}

function wordsOf(part: Exclude<Part, BytesPart | LinkPart>): string {
  return part.kind === 'text' ? part.text : JSON.stringify(part.data);
}

async function fileContent(part: BytesPart | LinkPart, reading: FileReading): Promise<Content> {
  const { task, budget, isRequired } = reading;
  try {
    const {
      bytes,
      mediaType = 'application/octet-stream',
      filename,
    } = await task.fetchFile(part, {
      maxBytes: budget.maxBytes,
    });
    if (isText(mediaType)) return { type: 'text', text: `${named(part, '')}\n${new TextDecoder().decode(bytes)}` };
    return { type: 'file', data: bytes, mediaType, ...(filename !== undefined && { filename }) };
  } catch (error) {
    if (isRequired || task.signal.aborted) throw error;
    return { type: 'text', text: named(part, 'can no longer be had') };
  }
}

function isFile(part: Part): part is BytesPart | LinkPart {
  return part.kind === 'bytes' || part.kind === 'link';
}

/** Models take text as text, whatever kind of file it came in. */
function isText(mediaType: string): boolean {
  return /^text\/|^application\/(json|xml|yaml|x-yaml|javascript|x-ndjson|toml)\b|\+(json|xml|yaml)\b/i.test(mediaType);
}

function named({ filename, mediaType }: BytesPart | LinkPart, state: string): string {
  const facts = [filename ?? 'unnamed', mediaType, state].filter((fact) => fact !== undefined && fact !== '');
  return `[file: ${facts.join(', ')}]`;
}

/** The characters of a message without its files, for the bound of a conversation. */
export function lengthOf({ content }: ModelMessage): number {
  if (typeof content === 'string') return content.length;
  let length = 0;
  for (const part of content) {
    if (part.type === 'text' || part.type === 'reasoning') length += part.text.length;
    else if (part.type !== 'file' && part.type !== 'image') length += JSON.stringify(part).length;
  }
  return length;
}
