import { A2AError } from '../../model/errors/errors.ts';
import { text } from '../../model/parts.ts';
import type { Part } from '../../model/task.ts';
import type { ModelCall, Prompt, PromptMessage, Warning } from './model-types.ts';
import { filePartOf } from './prompt-file.ts';

/** A prompt as one message of A2A. */
interface PromptContent {
  readonly parts: readonly Part[];
  readonly warnings: readonly Warning[];
}

/** Gathers parts: texts that follow each other are one part. */
class PartList {
  readonly parts: Part[] = [];
  #isOpen = false;

  say(more: string): void {
    const last = this.parts.at(-1);
    if (this.#isOpen && last?.kind === 'text') this.parts[this.parts.length - 1] = text(last.text + more);
    else this.parts.push(text(more));
    this.#isOpen = true;
  }

  add(part: Part): void {
    this.parts.push(part);
    this.#isOpen = false;
  }

  /** Begins a paragraph where something stands before it. */
  paragraph(): void {
    if (this.#isOpen) this.say('\n\n');
  }
}

/**
 * The prompt as a message. A message that goes on with a conversation (`isContinued`) has only what follows the last message of
 * the assistant, since the agent knows the rest. Elsewhere earlier messages stand before the last one as a transcript: A2A has
 * no other place for what somebody else said.
 */
export function promptContent({ prompt, responseFormat }: ModelCall, isContinued: boolean): PromptContent {
  const warnings: Warning[] = [];
  const messages = isContinued ? newMessages(prompt) : prompt;
  const isTranscript = messages.some(({ role }) => role === 'assistant' || role === 'tool');
  if (prompt.some(({ role }) => role === 'system')) {
    const details = isContinued
      ? 'Instructions of the system are not sent again to a conversation that goes on'
      : 'Instructions of the system are sent as text before the message';
    warnings.push({ type: 'compatibility', feature: 'system messages', details });
  }
  if (isTranscript) {
    const details =
      'Earlier messages are sent as a transcript: providerOptions.a2a.contextId goes on with a conversation';
    warnings.push({ type: 'compatibility', feature: 'several messages', details });
  }
  const list = new PartList();
  for (const message of messages) {
    list.paragraph();
    write(message, list, isTranscript);
  }
  if (list.parts.length === 0) {
    throw new A2AError('INVALID_PARAMS', 'The prompt has nothing to send: no message follows that of the assistant');
  }
  if (responseFormat?.type === 'json') askForJson(responseFormat.schema, list);
  return { parts: list.parts, warnings };
}

function newMessages(prompt: Prompt): Prompt {
  const last = prompt.findLastIndex(({ role }) => role === 'assistant');
  return prompt.slice(last + 1).filter(({ role }) => role !== 'system');
}

const SPEAKERS = { system: 'System', user: 'User', assistant: 'Assistant', tool: 'Tool' } as const;

function write(message: PromptMessage, list: PartList, isTranscript: boolean): void {
  if (isTranscript) list.say(`${SPEAKERS[message.role]}: `);
  if (message.role === 'system') {
    list.say(message.content);
    return;
  }
  for (const part of message.content) {
    switch (part.type) {
      case 'text':
        list.say(part.text);
        break;
      case 'file':
        list.add(filePartOf(part));
        break;
      case 'tool-call':
        list.say(`[uses ${part.toolName} with ${JSON.stringify(part.input)}]`);
        break;
      case 'tool-result':
        list.say(`[${part.toolName} returned ${resultOf(part.output)}]`);
        break;
      // Another model's reasoning, and parts for its provider alone, are left out.
      case 'reasoning':
      case 'reasoning-file':
      case 'custom':
      case 'tool-approval-response':
        break;
    }
  }
}

type ToolMessage = Extract<PromptMessage, { readonly role: 'tool' }>;
type ToolOutcome = Extract<ToolMessage['content'][number], { readonly type: 'tool-result' }>['output'];

function resultOf(output: ToolOutcome): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return `nothing: it was denied${output.reason ? `, because ${output.reason}` : ''}`;
    case 'content':
      return output.value.map((piece) => (piece.type === 'text' ? piece.text : `[${piece.type}]`)).join('');
  }
}

/** Agents that return data do so anyway; one with a language model has to be told. */
function askForJson(schema: unknown, list: PartList): void {
  list.paragraph();
  const shape = schema === undefined ? '' : ` that fits this JSON Schema:\n${JSON.stringify(schema)}`;
  list.say(`Answer with JSON alone, without anything around it${shape}`);
}
