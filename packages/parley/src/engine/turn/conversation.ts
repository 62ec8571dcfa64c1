import type { JsonValue } from '../../model/basics/json.ts';
import type { Task } from '../../model/task.ts';
import type { EarlierTasksQuery } from '../context/conversations.ts';
import type { RecordedTask } from '../replay/recorded-turns.ts';
import type { RunConversation } from './runner.ts';
import type { TurnSteps } from './steps.ts';
import type { TurnTask } from './turn-task.ts';

/** Reads and changes the context of a run's task; by steps, where the run can be resumed. */
export class TurnConversation implements RunConversation {
  readonly #task: TurnTask;
  readonly #steps: TurnSteps;
  readonly #isResumable: boolean;
  readonly #messageSeq: number;

  /** `messageSeq`: that of the message which began the turn. */
  constructor(task: TurnTask, steps: TurnSteps, isResumable: boolean, messageSeq: number) {
    this.#task = task;
    this.#steps = steps;
    this.#isResumable = isResumable;
    this.#messageSeq = messageSeq;
  }

  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]> {
    const { services, log } = this.#task;
    return services.conversations.earlier(log.identity, query);
  }

  recordedTasks(limit: number, before?: string): Promise<readonly RecordedTask[]> {
    const { services, log } = this.#task;
    const query = { limit, olderThan: before, before: this.#messageSeq, vault: services.vault };
    return services.conversations.recorded(log.identity, query);
  }

  async value(key: string): Promise<JsonValue | undefined> {
    const { services, log } = this.#task;
    const read = () => services.conversations.value(log.identity, key);
    return this.#isResumable ? this.#steps.perform(`context.get ${key}`, read) : read();
  }

  async change(key: string, value: JsonValue | undefined): Promise<void> {
    const task = this.#task;
    const { services, log, writer } = task;
    await this.#steps.perform(`context.set ${key}`, async () => {
      task.output.makeTask();
      await services.conversations.change(log.identity, key, value, (change) => {
        if (!task.isRunning) return Promise.reject(new DOMException('The run is over', 'AbortError'));
        log.changeContext(change);
        return writer.flushed();
      });
      return undefined;
    });
  }

  async share(subjects: readonly string[]): Promise<void> {
    const { services, log, writer, output } = this.#task;
    await this.#steps.perform('context.share', async () => {
      // A context is there once a task of it is.
      output.makeTask();
      await writer.flushed();
      await services.conversations.share(log.identity, subjects);
      return undefined;
    });
  }
}
