import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

/** What the model says to messages, chunk by chunk. */
export type ChatScript = (messages: BaseMessage[], signal: AbortSignal | undefined) => AsyncIterable<AIMessageChunk>;

/** A chat model of LangChain that follows a script. */
export class ScriptedChatModel extends BaseChatModel {
  readonly #script: ChatScript;

  constructor(script: ChatScript) {
    super({ maxRetries: 0 });
    this.#script = script;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole = new AIMessageChunk('');
    for await (const chunk of this.#script(messages, options.signal)) whole = whole.concat(chunk);
    return { generations: [{ text: whole.text, message: whole }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const message of this.#script(messages, options.signal)) {
      const { text } = message;
      const chunk = new ChatGenerationChunk({ text, message });
      yield chunk;
      // As every model of LangChain does: graphs hear of tokens by it.
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

export function toolCallChunk(name: string, args: object): AIMessageChunk {
  return new AIMessageChunk({
    content: '',
    tool_call_chunks: [{ type: 'tool_call_chunk', index: 0, id: 'c1', name, args: JSON.stringify(args) }],
  });
}
