import type { SeenEvent, SeenMessage, SeenPart, SeenTask } from './seen.ts';

export type Version = '1.0' | '0.3';
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** A message to send. */
export interface Sending {
  readonly parts: readonly SeenPart[];
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

export interface SeenCard {
  readonly name: string;
  readonly skills: number;
  readonly streaming: boolean;
}

/** A webhook as it was registered. */
export interface SeenPushConfig {
  readonly id: string;
  readonly url: string;
}

/** Events of one stream, as they come. */
export interface Flow {
  /** The next event; undefined at the end. Throws what the stream throws. */
  next(): Promise<SeenEvent | undefined>;
  /** Cancels the task of this stream, as a reader of it would. */
  cancel(taskId: string): Promise<SeenTask>;
  leave(): void;
}

/** A client of any kit, ours included, connected to one server. Failures are `CallFailed`. */
export interface Calling {
  readonly card: SeenCard;
  send(message: Sending, wait?: boolean): Promise<SeenTask | SeenMessage>;
  stream(message: Sending): Flow;
  get(taskId: string): Promise<SeenTask>;
  list(contextId: string): Promise<readonly SeenTask[]>;
  cancel(taskId: string): Promise<SeenTask>;
  subscribe(taskId: string): Flow;
  createPush(taskId: string, config: SeenPushConfig): Promise<SeenPushConfig>;
  getPush(taskId: string, configId: string): Promise<SeenPushConfig>;
  listPush(taskId: string): Promise<readonly SeenPushConfig[]>;
  deletePush(taskId: string, configId: string): Promise<void>;
  extendedCard(): Promise<SeenCard>;
}

/** A server of any kit with the scripted agent. */
export interface Hosting {
  readonly url: string;
  /** Lets runs that wait at their gate go on. */
  release(): Promise<void>;
}

/** What a program can tell a failed call by. */
export class CallFailed extends Error {
  readonly code: string | undefined;
  readonly status: number | undefined;

  constructor(text: string, code: string | undefined, status: number | undefined) {
    super(text);
    this.code = code;
    this.status = status;
  }
}

/** The kit or the version has no such operation. */
export class NotOffered extends Error {}
