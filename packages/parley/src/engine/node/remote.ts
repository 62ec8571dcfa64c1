import { A2AError, type A2AErrorCode, type FieldViolation } from '../../model/errors/errors.ts';
import type { Message } from '../../model/task.ts';
import type { EngineLimits } from '../limits.ts';
import type { Bus, BusReply, Clock, PushConfigDraft } from '../ports.ts';
import type { SecretArrival } from '../replay/sealed-secret.ts';
import { isElsewhere } from '../task/elsewhere.ts';
import type { KeyDraft } from '../task/opening.ts';
import type { Scope } from '../task/scope.ts';
import type { Tasks } from '../task/tasks.ts';
import type { MessageDraft, TurnRequest } from '../turn/runner.ts';

export interface ReceiveCommand {
  readonly taskId: string;
  readonly scope: Scope;
  readonly message: Message;
  readonly request: TurnRequest;
  readonly key?: KeyDraft | undefined;
  readonly push?: PushConfigDraft | undefined;
  /** The message is a secret, whatever the task waits for when it arrives. */
  readonly isSecret?: boolean | undefined;
}

export interface CancelCommand {
  readonly taskId: string;
  readonly scope: Scope;
  /** The message of the task about it. */
  readonly why?: MessageDraft | undefined;
}

type Command = ({ readonly command: 'receive' } & ReceiveCommand) | ({ readonly command: 'cancel' } & CancelCommand);

type Outcome =
  | { readonly seq: number }
  | {
      readonly error: {
        readonly code: A2AErrorCode;
        readonly message: string;
        readonly metadata: Readonly<Record<string, string>>;
        readonly violations: readonly FieldViolation[];
      };
    };

export interface RemoteOptions {
  readonly bus: Bus;
  readonly tasks: Tasks;
  readonly clock: Clock;
  readonly limits: Pick<EngineLimits, 'commandTimeout' | 'cancelGrace'>;
}

/** Sends commands to the node that holds a task's lease, and carries out those of other nodes. */
export class Remote {
  readonly #options: RemoteOptions;
  readonly #tasks: Tasks;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#tasks = options.tasks;
  }

  /** Resolves with the seq of the message, which is committed. */
  receive(node: string, command: ReceiveCommand): Promise<number> {
    return this.#request(node, { command: 'receive', ...command }, this.#options.limits.commandTimeout);
  }

  /** Resolves with the seq of the cancellation, which is committed. */
  cancel(node: string, command: CancelCommand): Promise<number> {
    const { commandTimeout, cancelGrace } = this.#options.limits;
    return this.#request(node, { command: 'cancel', ...command }, commandTimeout + cancelGrace);
  }

  /** Carries out a command of another node. Never rejects. */
  async handle(value: unknown): Promise<Outcome> {
    try {
      return { seq: await this.#execute(value as Command) };
    } catch (error) {
      const { code, message, metadata, violations } = A2AError.from(error);
      return { error: { code, message, metadata, violations } };
    }
  }

  async #execute(command: Command, secret?: SecretArrival): Promise<number> {
    const writer = await this.#tasks.writerOf(command.taskId, command.scope);
    if (isElsewhere(writer)) throw new A2AError('UNAVAILABLE', 'The task has moved to another server; ask again');
    try {
      if (command.command === 'cancel') {
        await writer.cancel(command.why);
        return writer.log.committedSeq;
      }
      const { message, request, key, push, isSecret } = command;
      const preparing = secret ? undefined : writer.prepareSecret(message, request, isSecret);
      if (preparing) return await this.#execute(command, await preparing);
      const seq = writer.receive(message, request, { key, push, secret });
      await writer.whenCommitted(seq);
      return seq;
    } finally {
      this.#tasks.dismiss(writer);
    }
  }

  async #request(node: string, command: Command, timeout: number): Promise<number> {
    const reply = await this.#reply(node, command, timeout);
    if (reply.kind === 'gone') throw unreachable('has left');
    const outcome = reply.value as Outcome;
    if ('seq' in outcome) return outcome.seq;
    const { code, message, metadata, violations } = outcome.error;
    throw new A2AError(code, message, { metadata, violations });
  }

  /** Settles in time, whatever the bus does. */
  #reply(node: string, command: Command, timeout: number): Promise<BusReply> {
    const { bus, clock } = this.#options;
    const abort = new AbortController();
    return new Promise<BusReply>((resolve, reject) => {
      const stop = clock.after(timeout, () => {
        reject(unreachable('does not respond'));
        abort.abort();
      });
      const request = async () => bus.request(node, command, abort.signal);
      request()
        .then(resolve, (error: unknown) => reject(unreachable('cannot be reached', error)))
        .finally(stop);
    });
  }
}

/** Nothing is known of a command that was not responded to; an idempotency key makes it safe to send it again. */
function unreachable(state: string, cause?: unknown): A2AError {
  return new A2AError('UNAVAILABLE', `The server that runs the task ${state}; try again`, { cause });
}
