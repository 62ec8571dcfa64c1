import type { JsonValue } from '../../model/json.ts';
import type { Task } from '../../model/task.ts';
import type { EarlierTasksQuery } from '../task/conversations.ts';
import type { RunSteps } from './steps.ts';
import type { TurnTask } from './turn-task.ts';

/** The context that a run's task is part of. */
export class RunConversation {
  readonly #task: TurnTask;
  readonly #steps: RunSteps;
  readonly #isResumable: boolean;

  constructor(task: TurnTask, steps: RunSteps, isResumable: boolean) {
    this.#task = task;
    this.#steps = steps;
    this.#isResumable = isResumable;
  }

  /** The tasks of the context that were there before this one, oldest first. */
  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]> {
    const { services, log } = this.#task;
    return services.conversations.earlier(log.identity, query);
  }

  /** The value that the context keeps under a key. A step, where the run can be resumed. */
  async value(key: string): Promise<JsonValue | undefined> {
    const { services, log } = this.#task;
    const read = () => services.conversations.value(log.identity, key);
    return this.#isResumable ? this.#steps.perform(`context.get ${key}`, read) : read();
  }

  /** Keeps a value in the context, or removes it. A step; resolves when the change is on disk. */
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
}
