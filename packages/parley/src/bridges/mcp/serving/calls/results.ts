import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { isPlainObject, type JsonValue } from '../../../../model/basics/json.ts';
import { isA2AError } from '../../../../model/errors/errors.ts';
import { dataPartOf, textOf } from '../../../../model/parts.ts';
import { isReasoning } from '../../../../model/reasoning.ts';
import { isTask, type Message, type Part, type Task } from '../../../../model/task.ts';
import { RESULT_BYTES } from '../limits.ts';
import { contentOf } from './content.ts';

/** Metadata of results: the task and the conversation behind them, for programs. */
export const TASK_META = 'io.parley/a2a';

interface ResultForm {
  /** The tool takes messages, so the model may go on with the conversation. */
  readonly takesMessages: boolean;
}

/** The end of an agent's turn as the result of a tool. */
export function resultOf(answer: Task | Message, form: ResultForm): CallToolResult {
  const data = dataPartOf(answer)?.data;
  const isFailed = isTask(answer) && answer.status.state !== 'completed';
  return bounded({
    content: [...outputOf(answer), ...(form.takesMessages ? conversationOf(answer) : [])],
    ...(data !== undefined && { structuredContent: structured(data) }),
    ...(isFailed && { isError: true }),
    _meta: { [TASK_META]: idsOf(answer) },
  });
}

/** A failure before or beside the task. `text`: the failure in words for the operator of the bridge. */
export function failureOf(error: unknown, text: string): CallToolResult {
  const code = isA2AError(error) ? error.code : 'FAILED';
  return { content: [{ type: 'text', text }], isError: true, _meta: { [TASK_META]: { error: code } } };
}

function outputOf(answer: Task | Message): readonly ContentBlock[] {
  if (!isTask(answer)) return blocksOf(answer.parts, answer.messageId);
  const { status, id } = answer;
  // A model that reads the result would take the reasoning of another for a part of it.
  const artifacts = answer.artifacts.filter((artifact) => !isReasoning(artifact));
  const results = artifacts.flatMap((artifact) => blocksOf(artifact.parts, `${id}/${artifact.artifactId}`));
  const said = status.message ? blocksOf(status.message.parts, `${id}/${status.message.messageId}`) : [];
  if (status.state === 'completed') {
    const all = [...results, ...said];
    return all.length > 0 ? all : [{ type: 'text', text: 'The agent has completed the task, without output.' }];
  }
  return [{ type: 'text', text: endOf(answer) }, ...results];
}

/** The reason of an end without success. */
function endOf({ status }: Task): string {
  const said = status.message ? textOf(status.message) : '';
  const reason = status.message?.metadata?.reason;
  const why = [said, typeof reason === 'string' ? `(${reason})` : ''].filter((text) => text !== '').join(' ');
  return `The task ended as ${status.state}${why === '' ? '.' : `: ${why}`}`;
}

/** Text parts of one message or artifact are one text: streams cut them anywhere. */
function blocksOf(parts: readonly Part[], owner: string): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const [index, part] of parts.entries()) {
    const last = blocks.at(-1);
    const isContinued = part.kind === 'text' && parts[index - 1]?.kind === 'text' && last?.type === 'text';
    if (isContinued) blocks[blocks.length - 1] = { ...last, text: last.text + part.text };
    else blocks.push(contentOf(part, { owner, index }));
  }
  return blocks.filter((block) => block.type !== 'text' || block.text !== '');
}

/** Models see content alone, so the id by which they go on is in it. */
function conversationOf(answer: Task | Message): readonly ContentBlock[] {
  const { contextId } = answer;
  if (!contextId) return [];
  const text = `To go on with this conversation, call the tool again with contextId ${JSON.stringify(contextId)}.`;
  return [{ type: 'text', text, annotations: { audience: ['assistant'], priority: 0.1 } }];
}

function idsOf(answer: Task | Message): Record<string, string> {
  const task = isTask(answer) ? { taskId: answer.id, state: answer.status.state } : undefined;
  return { ...task, ...(answer.contextId !== undefined && { contextId: answer.contextId }) };
}

/** Structured content is an object; other values are the member `result` of one. */
function structured(data: JsonValue): Record<string, unknown> {
  return isPlainObject(data) ? data : { result: data };
}

/** Replaces content that does not fit by a note, so that the rest is not taken for all. */
function bounded(result: CallToolResult): CallToolResult {
  if (isSmall(result) || sizeOf(result) <= RESULT_BYTES) return result;
  const { structuredContent, ...rest } = result;
  let room = RESULT_BYTES - sizeOf({ ...rest, content: [] }) - 1024;
  const content = result.content.map((block): ContentBlock => {
    const size = sizeOf(block);
    if (size <= room) {
      room -= size;
      return block;
    }
    const text = `A ${block.type} of ${size} bytes is left out: a result has at most ${RESULT_BYTES} bytes.`;
    room -= text.length + 64;
    return { type: 'text', text };
  });
  if (structuredContent === undefined) return { ...rest, content };
  return sizeOf(structuredContent) <= room
    ? { ...rest, content, structuredContent }
    : { ...rest, content, isError: true };
}

/** A character has three bytes at most: most results need not be encoded to be measured. */
function isSmall(result: CallToolResult): boolean {
  return JSON.stringify(result).length * 3 <= RESULT_BYTES;
}

/** Bytes of JSON. */
function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
