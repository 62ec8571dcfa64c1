import { A2AError, taskNotFound } from '../../model/errors/errors.ts';
import type { Message, Task } from '../../model/task.ts';
import type { Retention } from '../node/retention.ts';
import type { Clock, Owner, Store, TaskCommit, TaskHead } from '../ports.ts';
import { authorizingSend } from '../send/authorizing-send.ts';
import type { SendCall } from '../send/sends.ts';
import type { Tasks } from '../task/tasks.ts';
import type { MessageDraft, Runner } from '../turn/runner.ts';
import { type ForkedContext, forkContext } from './fork-context.ts';
import { commitFromStep, type RerunOptions, sendOfRerun } from './rerun.ts';

interface OperatorWorkOptions {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly commit: Store['commit'];
  readonly clock: Clock;
  readonly newId: () => string;
  /** The name of this node. */
  readonly node: () => string;
  readonly runners: readonly Pick<Runner, 'name'>[];
  readonly retention: Pick<Retention, 'contexts'>;
  readonly send: (call: SendCall) => Promise<Task | Message>;
}

/** Work on tasks of any caller, for those who run the server: credentials, copies that run again, forks of contexts. */
export class OperatorWork {
  readonly #options: OperatorWorkOptions;

  constructor(options: OperatorWorkOptions) {
    this.#options = options;
  }

  /** Runs a task again as a new one; resolves as soon as that is on disk. */
  async rerun(taskId: string, options: RerunOptions): Promise<Task> {
    const { store, newId, send, tasks, clock, node } = this.#options;
    const head = await this.#head(taskId);
    const { message, fromStep } = options;
    if (fromStep === undefined) return (await send(await sendOfRerun(store, head, options, newId()))) as Task;
    if (message)
      throw new A2AError(
        'INVALID_PARAMS',
        'Either message or fromStep: what was recorded belongs to the message of then',
      );
    const id = newId();
    await this.#write(
      await commitFromStep(store, head, fromStep, { id, messageId: newId(), now: clock.now(), node: node() }),
    );
    const actor = await tasks.revive(id);
    if (!actor.resume()) actor.fail('journal-mismatch');
    await actor.flushed();
    return actor.snapshot();
  }

  fork(owner: Owner, contextId: string, upTo: string | undefined): Promise<ForkedContext> {
    const { store, newId, runners, clock, retention } = this.#options;
    const agents = runners.map(({ name }) => name);
    const options = { owner, contextId, upTo, agents, newId, now: clock.now(), contextLifetime: retention.contexts };
    return forkContext(store, (entry) => this.#write(entry), options);
  }

  /** Brings a task the credential that it waits for. */
  async authorize(taskId: string, credential: MessageDraft): Promise<Task> {
    const { newId, send } = this.#options;
    return (await send(authorizingSend(await this.#head(taskId), credential, newId()))) as Task;
  }

  async #head(taskId: string): Promise<TaskHead> {
    const head = await this.#options.store.head(taskId);
    if (!head) throw taskNotFound(taskId);
    return head;
  }

  async #write(entry: TaskCommit): Promise<void> {
    const [result] = await this.#options.commit([entry]);
    if (result !== 'ok') throw new A2AError('UNAVAILABLE', 'The copy could not be written; try again');
  }
}
