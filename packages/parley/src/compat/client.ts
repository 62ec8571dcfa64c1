import { errorObjectOf, JsonRpcException } from '../bindings/jsonrpc/error-objects.ts';
import { A2AClient as Client } from '../client/every-dialect-client.ts';
import type { SendParams } from '../client/message/content.ts';
import type { ClientOptions } from '../client/options.ts';
import { type PendingTool, type ToolOptions, type ToolParameters, toolOf } from '../client/skill/tool.ts';
import {
  type A2AMessage,
  type A2AStreamEvent,
  type A2ATask,
  type AgentCard,
  cogitator,
  encodeCard,
  type SendMessageConfiguration,
} from '../dialects/cogitator.ts';
import { isA2AError, isClientError } from '../model/errors/errors.ts';
import type { SendInput } from '../model/operations.ts';

/** The options of the seed S3's client, and all other options of our client. */
export interface A2AClientConfig extends Omit<ClientOptions, 'protocol'> {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for every call, also for sends that wait for the end of the turn, and for the begin of a stream. Default 30 000. */
  readonly timeout?: number | undefined;
  /** Default `/.well-known/agent.json`. */
  readonly agentCardPath?: string | undefined;
  /** Default `/a2a`. */
  readonly rpcPath?: string | undefined;
}

export interface AsToolOptions extends ToolOptions {
  /**
   * Replaces the JSON Schema of the input, for a framework with its own kind of schema, e.g. `z.object({ task:
   * z.string() })`.
   */
  readonly parameters?: unknown;
}

const DEFAULT_TIMEOUT = 30_000;

/** The client of the seed S3: it takes and gives the document's objects, and speaks as the document does. */
export class A2AClient {
  readonly #client: Client;

  constructor(baseUrl: string | URL, config: A2AClientConfig = {}) {
    const {
      agentCardPath = '/.well-known/agent.json',
      rpcPath = '/a2a',
      timeout = DEFAULT_TIMEOUT,
      ...options
    } = config;
    this.#client = new Client(baseUrl, { ...options, agentCardPath, rpcPath, timeout, protocol: 'cogitator' });
  }

  /** Returns the card; the first one of a list. */
  async agentCard(): Promise<AgentCard> {
    const card = await numbered(this.#client.agentCard());
    const { url = card.interfaces[0]?.url ?? '' } = this.#client.interface ?? {};
    return encodeCard({ ...card, interfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }] });
  }

  async sendMessage(message: A2AMessage, config?: SendMessageConfiguration): Promise<A2ATask> {
    const input = inputOf(message, config);
    const answer = await numbered(this.#client.sendMessage(contentOf(input), { timeout: config?.timeout }));
    return cogitator.encode.sendMessage(answer, input) as A2ATask;
  }

  async *sendMessageStream(
    message: A2AMessage,
    config?: SendMessageConfiguration,
  ): AsyncGenerator<A2AStreamEvent, void, undefined> {
    const stream = this.#client.sendMessageStream(contentOf(inputOf(message, config)), { timeout: config?.timeout });
    try {
      for await (const event of stream) yield cogitator.encodeEvent(event) as A2AStreamEvent;
    } catch (error) {
      throw withNumber(error);
    }
  }

  async getTask(taskId: string, historyLength?: number): Promise<A2ATask> {
    const task = await numbered(this.#client.getTask(taskId, { historyLength }));
    return cogitator.encode.getTask(task, { tenant: '', id: taskId, historyLength }) as A2ATask;
  }

  async cancelTask(taskId: string): Promise<A2ATask> {
    return cogitator.encode.cancelTask(await numbered(this.#client.cancelTask(taskId))) as A2ATask;
  }

  /**
   * The agent as a tool: `{ task: string }` in, `{ output, success, error? }` out. Its name is the card's: asking for it
   * fetches the card, and `await client.asTool()` waits for that.
   */
  asTool({ parameters, ...options }: AsToolOptions = {}): PendingTool {
    return toolOf(this.#client, options, parameters as ToolParameters | undefined);
  }
}

function inputOf(message: A2AMessage, configuration: SendMessageConfiguration | undefined): SendInput {
  return cogitator.decode.sendMessage({ message, configuration });
}

/** The message in the form of our own client. */
function contentOf({ message, acceptedOutputModes, historyLength, returnImmediately, timeout }: SendInput): SendParams {
  return { message, configuration: { acceptedOutputModes, historyLength, returnImmediately, timeout } };
}

function numbered<Value>(call: Promise<Value>): Promise<Value> {
  return call.catch((error: unknown) => {
    throw withNumber(error);
  });
}

/** Gives an error of a server its JSON-RPC number as `code`; errors that the client raises have none. */
function withNumber(error: unknown): unknown {
  if (!isA2AError(error) || isClientError(error.code)) return error;
  return Object.assign(new JsonRpcException(errorObjectOf(error)), { cause: error });
}
