import {
  type Message,
  type Part,
  Role,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type SendMessageResult,
  type Task,
} from '@a2a-js/sdk';

type Content = NonNullable<Part['content']>;

/** A part as the SDK has them. */
export function partOf(content: Content, attributes: Partial<Omit<Part, 'content'>> = {}): Part {
  return { content, metadata: undefined, filename: '', mediaType: '', ...attributes };
}

export function textPart(value: string, attributes?: Partial<Omit<Part, 'content'>>): Part {
  return partOf({ $case: 'text', value }, attributes);
}

export interface SendOptions {
  readonly message?: Partial<Message>;
  readonly configuration?: Partial<SendMessageConfiguration>;
  readonly metadata?: SendMessageRequest['metadata'];
  readonly tenant?: string;
}

/** The parameters of a send: a text, or parts. */
export function sending(content: string | readonly Part[], options: SendOptions = {}): SendMessageRequest {
  const { message, configuration, metadata, tenant = '' } = options;
  return {
    tenant,
    metadata,
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: typeof content === 'string' ? [textPart(content)] : [...content],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...message,
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
      ...configuration,
    },
  };
}

/** Sends return at once. */
export const AT_ONCE: SendOptions = { configuration: { returnImmediately: true } };

export function isTask(result: SendMessageResult): result is Task {
  return 'status' in result;
}

/** The task that a send gave; throws on a bare message. */
export function taskOf(result: SendMessageResult): Task {
  if (!isTask(result)) throw new Error(`Not a task: ${JSON.stringify(result)}`);
  return result;
}

/** The bare message that a send gave; throws on a task. */
export function messageOf(result: SendMessageResult): Message {
  if (isTask(result)) throw new Error(`Not a message: ${JSON.stringify(result)}`);
  return result;
}

/** The text of parts, joined. */
export function textOf(parts: readonly Part[] = []): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

/** The text of every artifact of a task. */
export function artifactTexts(task: Task): string[] {
  return task.artifacts.map((artifact) => textOf(artifact.parts));
}

/** The texts of a task's history. */
export function talkOf(task: Task): string[] {
  return task.history.map((message) => textOf(message.parts));
}

/** What a task says about its state. */
export function saidBy(task: Task): string {
  return textOf(task.status?.message?.parts);
}
