import { type A2AClient, collect, type SendOptions, type Task } from 'parley-a2a';

/** One client with one task, from its begin to its end through all kills. */
export class Errand {
  /** The task as the events made it. */
  collected: Task | undefined;
  /** All that `textStream` gave. */
  text = '';

  async run(client: A2AClient, options: SendOptions): Promise<void> {
    const stream = client.sendMessageStream('go', options);
    const texts = (async () => {
      for await (const piece of stream.textStream) this.text += piece;
    })();
    for await (const task of collect(stream)) this.collected = task;
    await texts;
  }
}
