import { A2AClient as Client } from '../../client/every-dialect-client.ts';
import type { SendParams } from '../../client/message/content.ts';
import type { ClientOptions } from '../../client/options.ts';
import { rxjs } from '../../dialects/rxjs.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { SendInput } from '../../model/operations.ts';
import { isTask, type StreamEvent } from '../../model/task.ts';
import type { A2AStreamEvent, MessageSendParams, Task } from './types.ts';

/** The client of the seed S0. */
export interface A2AClient {
  /** The events until the task has ended or asks for input. */
  streamMessage(params: MessageSendParams): AsyncIterableIterator<A2AStreamEvent>;
  /** The task when its turn has ended. */
  sendMessage(params: MessageSendParams): Promise<Task>;
}

/** The client of the seed S0: it takes and gives the document's objects, and speaks as the document does. */
export class A2AClientImpl implements A2AClient {
  readonly #client: Client;

  /**
   * @param token goes with every request as `Authorization: Bearer`; '' = none
   * @param options whatever else our client can be told
   */
  constructor(baseUrl: string | URL, token = '', options: Omit<ClientOptions, 'protocol'> = {}) {
    const { rpcPath = '/api/a2a', headers, ...others } = options;
    const allHeaders = async (): Promise<Readonly<Record<string, string>>> => ({
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(typeof headers === 'function' ? await headers() : headers),
    });
    this.#client = new Client(baseUrl, { ...others, rpcPath, protocol: 'rxjs', headers: allHeaders });
  }

  async *streamMessage(params: MessageSendParams): AsyncGenerator<A2AStreamEvent, void, undefined> {
    for await (const event of this.#client.sendMessageStream(contentOf(params))) yield encoded(event);
  }

  async sendMessage(params: MessageSendParams): Promise<Task> {
    const answer = await this.#client.sendMessage(contentOf(params));
    if (!isTask(answer)) throw noTask();
    return rxjs.encode.sendMessage(answer) as Task;
  }
}

/** The message in the form of our own client. */
function contentOf(params: MessageSendParams): SendParams {
  const { message, acceptedOutputModes, historyLength }: SendInput = rxjs.decode.sendMessage(params);
  const [answered] = message.taskId ? [] : (message.referenceTaskIds ?? []);
  const isAnswer = params.message.parts.some(({ kind }) => kind === 'tool-result');
  const sent = isAnswer && answered !== undefined ? { ...message, taskId: answered } : message;
  return { message: sent, configuration: { acceptedOutputModes, historyLength } };
}

function encoded(event: StreamEvent): A2AStreamEvent {
  if (event.kind === 'message') throw noTask();
  const wire = rxjs.encodeEvent(event) as A2AStreamEvent;
  if (wire.kind !== 'artifact-update') return wire;
  const [part] = wire.artifact.parts;
  return part ? { ...wire, part } : wire;
}

/** The document knows no answer but a task. */
function noTask(): A2AError {
  return new A2AError('INVALID_RESPONSE', 'The agent responded with a message in place of a task');
}
