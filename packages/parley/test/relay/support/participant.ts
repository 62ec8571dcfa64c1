import { A2AClient, type ClientOptions, type Content, isTask, type Message, type Task } from 'parley-a2a';
import { eventually } from '../../support/eventually.ts';

/** How a participant asks for the answer to what it says. */
export type Manner = 'blocking' | 'stream' | 'poll';

/** One side of a pair: says something and gets what the other side says to it. */
export interface Participant {
  say(content: Content): Promise<Task>;
}

/** Our own client as a participant, in any version and binding. */
export class ClientParticipant implements Participant {
  readonly #client: A2AClient;
  readonly #contextId: string;
  readonly #manner: Manner;
  #taskId: string | undefined;

  constructor(client: A2AClient, contextId: string, manner: Manner) {
    this.#client = client;
    this.#contextId = contextId;
    this.#manner = manner;
  }

  get taskId(): string {
    if (this.#taskId === undefined) throw new Error('It has not said anything yet');
    return this.#taskId;
  }

  async say(content: Content): Promise<Task> {
    const place = this.#taskId === undefined ? { contextId: this.#contextId } : { taskId: this.#taskId };
    const task = await this.#sent(content, place);
    this.#taskId = task.id;
    return task;
  }

  async #sent(content: Content, place: { readonly contextId: string } | { readonly taskId: string }): Promise<Task> {
    if (this.#manner === 'stream') {
      return this.#client.sendMessageStream(content, place).task;
    }
    const answer = await this.#client.sendMessage(content, { ...place, returnImmediately: this.#manner === 'poll' });
    if (!isTask(answer)) throw new Error('A task was expected');
    if (this.#manner === 'blocking') return answer;
    this.#taskId = answer.id;
    await eventually(async () => (await this.#client.getTask(answer.id)).status.state).not.toBe('working');
    return this.#client.getTask(answer.id);
  }
}

export async function participant(
  url: string,
  contextId: string,
  manner: Manner,
  options: ClientOptions = {},
): Promise<ClientParticipant> {
  return new ClientParticipant(await A2AClient.connect(url, options), contextId, manner);
}

/** What the other side has said to a participant, by the task that it got. */
export function heard({ status }: Task): Message {
  if (status.state !== 'input-required' || !status.message) throw new Error(`The task is ${status.state}`);
  return status.message;
}
