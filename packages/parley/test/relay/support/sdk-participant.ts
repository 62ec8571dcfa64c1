import { type Part as SdkPart, TaskState as SdkState, type Task as SdkTask } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { bytes, bytesOf, type JsonValue, json, link, type Part, text } from 'parley-a2a';
import { partOf, sending, taskOf } from '../../interop/support/messages.ts';

/** The official SDK's client as one side of a pair; each message is sent blocking. */
export class SdkParticipant {
  readonly #client: Client;
  readonly #contextId: string;
  #taskId: string | undefined;

  constructor(client: Client, contextId: string) {
    this.#client = client;
    this.#contextId = contextId;
  }

  /** Says something and gives what the other side answers. */
  async say(parts: readonly Part[]): Promise<readonly Part[]> {
    const place = this.#taskId === undefined ? { contextId: this.#contextId } : { taskId: this.#taskId };
    const message = { ...place, parts: parts.map(toSdk) };
    const task: SdkTask = taskOf(await this.#client.sendMessage(sending('', { message })));
    this.#taskId = task.id;
    if (task.status?.state !== SdkState.TASK_STATE_INPUT_REQUIRED) throw new Error(`State ${task.status?.state}`);
    return (task.status.message?.parts ?? []).map(fromSdk);
  }
}

function toSdk(part: Part): SdkPart {
  const attributes = { mediaType: part.mediaType ?? '', filename: part.filename ?? '' };
  switch (part.kind) {
    case 'text':
      return partOf({ $case: 'text', value: part.text }, attributes);
    case 'bytes':
      return partOf({ $case: 'raw', value: Buffer.from(bytesOf(part)) }, attributes);
    case 'link':
      return partOf({ $case: 'url', value: part.url }, attributes);
    case 'data':
      return partOf({ $case: 'data', value: part.data }, attributes);
  }
}

function fromSdk({ content, mediaType, filename }: SdkPart): Part {
  const attributes = { ...(mediaType !== '' && { mediaType }), ...(filename !== '' && { filename }) };
  switch (content?.$case) {
    case 'text':
      return text(content.value, attributes);
    case 'raw':
      return bytes(new Uint8Array(content.value), attributes);
    case 'url':
      return link(content.value, attributes);
    case 'data':
      return json(content.value as JsonValue, attributes);
    case undefined:
      throw new Error('A part without content');
  }
}
