import type { JsonValue } from '../../model/basics/json.ts';
import { dataPartOf, textOf } from '../../model/parts.ts';
import { isReasoning } from '../../model/reasoning.ts';
import { isInterrupted } from '../../model/states.ts';
import { type Artifact, isTask, type Message, type Part, type Task } from '../../model/task.ts';
import { type ModelContent, PROVIDER } from './model-types.ts';

/** Stands between the texts of artifacts, as in `textOf`. */
export const BLANK_LINE = '\n\n';

/** The result of an agent, as content of a model. */
export interface Answer {
  /** Texts of artifacts or of a reply, and reasoning, in order. */
  readonly texts: readonly { readonly isReasoning: boolean; readonly text: string }[];
  /** The status message, where it is part of the answer: a question, or the text of a task that has no other. */
  readonly said: string;
  readonly files: readonly FileContent[];
  readonly data: JsonValue | undefined;
}

type FileContent = Extract<ModelContent, { readonly type: 'file' | 'source' }>;

export function answerOf(result: Task | Message): Answer {
  if (!isTask(result)) {
    const { messageId, parts } = result;
    const texts = [{ isReasoning: false, text: textOf(parts) }].filter(hasText);
    return { texts, said: '', files: filesIn(parts, messageId), data: dataPartOf(parts)?.data };
  }
  const { artifacts, status } = result;
  const texts = artifacts
    .map((artifact) => ({ isReasoning: isReasoning(artifact), text: textOf(artifact) }))
    .filter(hasText);
  const isTold = isInterrupted(status.state) || !texts.some((one) => !one.isReasoning);
  const told = isTold ? (status.message?.parts ?? []) : [];
  const answers = artifacts.filter((artifact) => !isReasoning(artifact));
  return {
    texts,
    said: textOf(told),
    files: [...answers.flatMap(filesOf), ...filesIn(told, status.message?.messageId ?? '')],
    data: dataPartOf({ ...result, artifacts: answers })?.data,
  };
}

function hasText({ text }: { readonly text: string }): boolean {
  return text !== '';
}

/**
 * The text that a program parses: the data of the result, or else its text, out of the fence that models like to put around
 * JSON.
 */
export function jsonTextOf({ data, texts, said }: Answer): string {
  if (data !== undefined) return JSON.stringify(data);
  return unfenced(texts.flatMap(({ isReasoning, text }) => (isReasoning ? [] : [text])).join(BLANK_LINE) || said);
}

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i;

function unfenced(text: string): string {
  return FENCED.exec(text)?.[1] ?? text;
}

/** Content of a model, in the order of the artifacts; files come last. */
export function contentOf({ texts, said, files, data }: Answer): ModelContent[] {
  const content: ModelContent[] = [];
  let hasAnswer = false;
  const answer = (text: string) => {
    content.push({ type: 'text', text: hasAnswer ? BLANK_LINE + text : text });
    hasAnswer = true;
  };
  for (const { isReasoning: isThought, text } of texts) {
    if (isThought) content.push({ type: 'reasoning', text });
    else answer(text);
  }
  if (said !== '') answer(said);
  if (!hasAnswer && data !== undefined) answer(JSON.stringify(data));
  return [...content, ...files];
}

function filesOf({ artifactId, name, parts }: Artifact): FileContent[] {
  return filesIn(parts, artifactId, name);
}

/**
 * Links are sources and not files: the AI SDK would fetch whatever address a remote agent names.
 */
function filesIn(parts: readonly Part[], id: string, artifactName?: string): FileContent[] {
  const files: FileContent[] = [];
  for (const [index, part] of parts.entries()) {
    const { mediaType, filename } = part;
    const facts = {
      id,
      ...(artifactName !== undefined && { name: artifactName }),
      ...(filename !== undefined && { filename }),
      ...(mediaType !== undefined && { mediaType }),
    };
    const providerMetadata = { [PROVIDER]: facts };
    if (part.kind === 'bytes') {
      const data = { type: 'data', data: part.bytes } as const;
      files.push({ type: 'file', mediaType: mediaType ?? 'application/octet-stream', data, providerMetadata });
    }
    if (part.kind === 'data') {
      const data = { type: 'data', data: new TextEncoder().encode(JSON.stringify(part.data)) } as const;
      files.push({ type: 'file', mediaType: 'application/json', data, providerMetadata });
    }
    if (part.kind === 'link') {
      const title = filename ?? artifactName;
      const source = { type: 'source', sourceType: 'url', id: `${id}/${index}`, url: part.url } as const;
      files.push({ ...source, ...(title !== undefined && { title }), providerMetadata });
    }
  }
  return files;
}
