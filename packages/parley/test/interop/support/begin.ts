import type { Client } from '@a2a-js/sdk/client';
import { reading, taskIdOf } from './events.ts';
import { sending } from './messages.ts';

/** Starts a task, goes away while it works, and gives its id. */
export async function begin(client: Client, text = 'hello'): Promise<string> {
  const stream = reading(client.sendMessageStream(sending(text)));
  const [first] = await stream.until(() => true);
  await stream.leave();
  return taskIdOf(first);
}
