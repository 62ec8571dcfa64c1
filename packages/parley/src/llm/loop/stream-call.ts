import type { AssistantModelMessage, TextStreamPart, ToolSet } from 'ai';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { textOfThrown } from '../../model/errors/thrown-text.ts';
import { CutStreamError, ResponseTooLongError } from '../errors/failures.ts';
import type { Answer } from './answer.ts';
import { type CallRecord, type ToolCall, usageOf } from './records.ts';
import type { Silence } from './silence.ts';

/** Characters that a tool call counts beside its name and its arguments: calls that say nothing must have an end as well. */
const CALL_LENGTH = 100;

type Part = TextStreamPart<ToolSet>;
type Finish = Extract<Part, { readonly type: 'finish-step' }>;

/** A response of the AI SDK, as far as it is read here. */
export interface ModelResponse {
  readonly stream: AsyncIterable<Part>;
  /** The messages that the response adds to the conversation; all are there when its stream has ended. */
  readonly messages: readonly { readonly role: string }[];
}

interface ResponseFacts {
  readonly model: string;
  readonly provider: string;
  /** Characters that the response may have. */
  readonly most: number;
  /** A response that ends without a finish reason is taken as it is. */
  readonly takesCut: boolean;
  readonly silence: Pick<Silence, 'heard' | 'hold' | 'isOver'>;
}

/**
 * Reads one response to its end and writes it as it comes. Throws what the provider reports, and an error of its own for a
 * response that ends in the middle. A response of which it throws is not read any further: the caller aborts it.
 */
export async function readResponse(response: ModelResponse, answer: Answer, facts: ResponseFacts): Promise<CallRecord> {
  const toolCalls: ToolCall[] = [];
  const { silence } = facts;
  let finish: Finish | undefined;
  /** The provider's package has reported the missing finish reason as an error. */
  let isUnreasoned = false;
  let text = '';
  let length = 0;
  // Not `for await`: left early, it waits for the AI SDK's stream to be canceled, which is never settled.
  const parts = response.stream[Symbol.asyncIterator]();
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value;
    if (silence.isOver) break;
    // The AI SDK itself says these two, before the provider says anything.
    if (part.type !== 'start' && part.type !== 'start-step') silence.heard();
    let wait: Promise<void> | undefined;
    if (part.type === 'text-delta') {
      length += part.text.length;
      text += part.text;
      wait = answer.text(part.text);
    } else if (part.type === 'reasoning-delta') {
      length += part.text.length;
      wait = answer.reasoning(part.text);
    } else if (part.type === 'tool-input-start') {
      length += part.toolName.length + part.id.length + CALL_LENGTH;
    } else if (part.type === 'tool-input-delta') {
      length += part.delta.length;
    } else if (part.type === 'tool-call') {
      if (!part.providerExecuted) toolCalls.push(toolCallOf(part));
    } else if (part.type === 'file') {
      const { base64, mediaType } = part.file;
      length += base64.length;
      wait = answer.file({ kind: 'bytes', bytes: base64, mediaType });
    } else if (part.type === 'finish-step') {
      finish = part;
    } else if (part.type === 'error') {
      if (!facts.takesCut || !isWithoutReason(part.error)) throw part.error;
      isUnreasoned = true;
    } else if (part.type === 'abort') {
      throw new DOMException(part.reason ?? 'The model call was aborted', 'AbortError');
    }
    if (length > facts.most) throw new ResponseTooLongError(facts.most);
    if (wait) await silence.hold(wait);
  }
  const isCut = finish?.finishReason === 'other' && finish.rawFinishReason === undefined;
  // A server that is no model server, such as one with a login page, says nothing at all.
  const isTaken = isUnreasoned && (text !== '' || toolCalls.length > 0);
  const isFailed = finish?.finishReason === 'error' && !isTaken;
  if (!finish || isFailed || (isCut && !facts.takesCut)) throw new CutStreamError();
  const messages = response.messages.filter(isAssistant).map((message) => withObjects(message, toolCalls));
  const { model, provider } = facts;
  return {
    messages,
    text,
    toolCalls,
    finishReason: isTaken ? 'other' : finish.finishReason,
    usage: usageOf(finish.usage),
    model,
    provider,
  };
}

/** True for the error that a provider's package makes of a response without a finish reason. */
function isWithoutReason(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_InvalidResponseDataError' && /finish reason/i.test(error.message);
}

function isAssistant(message: { readonly role: string }): message is AssistantModelMessage {
  return message.role === 'assistant';
}

/** Providers refuse a conversation in which the arguments of a call are no object. */
function withObjects(message: AssistantModelMessage, toolCalls: readonly ToolCall[]): AssistantModelMessage {
  const { content } = message;
  const invalid = new Set(toolCalls.filter(({ problem }) => problem !== undefined).map(({ toolCallId }) => toolCallId));
  if (typeof content === 'string' || invalid.size === 0) return message;
  const parts = content.map((part) => {
    const isSpoiled = part.type === 'tool-call' && invalid.has(part.toolCallId) && !isPlainObject(part.input);
    return isSpoiled ? { ...part, input: {} } : part;
  });
  return { ...message, content: parts };
}

function toolCallOf(part: Extract<Part, { readonly type: 'tool-call' }>): ToolCall {
  const { toolCallId, toolName, input } = part;
  const call = { toolCallId, toolName, input: input as JsonValue };
  if (!part.invalid) return call;
  const problem = textOfThrown(part.error);
  return { ...call, input: isPlainObject(input) ? call.input : {}, problem };
}
