import { A2AError, type A2AErrorCode, type FieldViolation } from '../../model/errors.ts';
import type { Message } from '../../model/task.ts';
import type { Bus } from '../ports.ts';
import type { KeyDraft } from '../task/opening.ts';
import { isElsewhere, type Scope, type Tasks } from '../task/tasks.ts';
import type { MessageDraft, TurnRequest } from '../turn/runner.ts';

export interface ReceiveCommand {
  readonly taskId: string;
  readonly scope: Scope;
  readonly message: Message;
  readonly request: TurnRequest;
  readonly key?: KeyDraft | undefined;
}

export interface CancelCommand {
  readonly taskId: string;
  readonly scope: Scope;
  /** What the task says about it. */
  readonly why?: MessageDraft | undefined;
}

type Command = ({ readonly command: 'receive' } & ReceiveCommand) | ({ readonly command: 'cancel' } & CancelCommand);

type Answer =
  | { readonly seq: number }
  | {
      readonly error: {
        readonly code: A2AErrorCode;
        readonly message: string;
        readonly metadata: Readonly<Record<string, string>>;
        readonly violations: readonly FieldViolation[];
      };
    };

/** Commands to the node that holds a task's lease, and the answers to those that come from other nodes. */
export class Remote {
  readonly #bus: Bus;
  readonly #tasks: Tasks;

  constructor(bus: Bus, tasks: Tasks) {
    this.#bus = bus;
    this.#tasks = tasks;
  }

  /** The seq of the message, committed. */
  receive(node: string, command: ReceiveCommand): Promise<number> {
    return this.#request(node, { command: 'receive', ...command });
  }

  /** The seq of the cancellation, committed. */
  cancel(node: string, command: CancelCommand): Promise<number> {
    return this.#request(node, { command: 'cancel', ...command });
  }

  /** Answers a command of another node. */
  async handle(value: unknown): Promise<Answer> {
    try {
      return { seq: await this.#execute(value as Command) };
    } catch (error) {
      const { code, message, metadata, violations } = A2AError.from(error);
      return { error: { code, message, metadata, violations } };
    }
  }

  async #execute(command: Command): Promise<number> {
    const writer = await this.#tasks.writerOf(command.taskId, command.scope);
    if (isElsewhere(writer)) throw new A2AError('UNAVAILABLE', 'The task has moved to another server; ask again');
    try {
      if (command.command === 'cancel') {
        await writer.cancel(command.why);
        return writer.log.committedSeq;
      }
      const seq = writer.receive(command.message, command.request, command.key);
      await writer.whenCommitted(seq);
      return seq;
    } finally {
      this.#tasks.dismiss(writer);
    }
  }

  async #request(node: string, command: Command): Promise<number> {
    const answer = (await this.#bus.request(node, command)) as Answer;
    if ('seq' in answer) return answer.seq;
    const { code, message, metadata, violations } = answer.error;
    throw new A2AError(code, message, { metadata, violations });
  }
}
