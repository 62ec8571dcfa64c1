import type { TaskHead } from '../../../engine/ports.ts';
import type { StreamEvent, TaskStatus } from '../../../model/task.ts';
import { streamEventOf } from '../../operations/stream-events.ts';
import type { AgentTransform } from '../../operations/transforms.ts';
import type { Notice } from './notice.ts';
import type { NoticeForm } from './notice-form.ts';
import type { PastTasks } from './past-tasks.ts';

export interface NoticeTextsOptions {
  readonly past: PastTasks;
  /** Changes what is sent of an agent's tasks; undefined where nothing does. */
  readonly transformOf: (agent: string) => AgentTransform | undefined;
}

export type NoticeTask = Pick<TaskHead, 'id' | 'contextId' | 'agent'>;

/** Writes the bodies of notices, as streams would show the same. */
export class NoticeTexts {
  readonly #options: NoticeTextsOptions;

  constructor(options: NoticeTextsOptions) {
    this.#options = options;
  }

  /** Undefined where there is nothing to say: a transform leaves the event out, or the task is gone. */
  async write(task: NoticeTask, notice: Notice, form: NoticeForm): Promise<string | undefined> {
    const event = await this.#eventOf(task, notice, form);
    const transform = this.#options.transformOf(task.agent);
    const { id: taskId, contextId } = task;
    const shown = event && transform ? transform(event, { taskId, contextId, seq: notice.seq }) : event;
    if (!shown) return undefined;
    const { dialect } = form;
    const flat = dialect.quirks?.encodeNotification;
    const wire = flat ? flat(shown, await this.#statusOf(task, notice, shown)) : dialect.encodeEvent(shown);
    return wire === undefined ? undefined : JSON.stringify(wire);
  }

  async #eventOf(
    { id, contextId }: NoticeTask,
    { event, seq }: Notice,
    form: NoticeForm,
  ): Promise<StreamEvent | undefined> {
    const { past } = this.#options;
    if (!event || (event.kind === 'status' && form.hasTasks)) {
      const task = await past.taskAt(id, seq);
      return task && { kind: 'task', task };
    }
    if (event.kind === 'status' || form.events === 'all') return streamEventOf(event, id, contextId);
    const artifact = await past.artifactAt(id, event);
    const { metadata } = event;
    return artifact && { kind: 'artifact', taskId: id, contextId, artifact, append: false, lastChunk: true, metadata };
  }

  /** The flat body has the status of the task beside an artifact. */
  async #statusOf({ id }: NoticeTask, { seq }: Notice, event: StreamEvent): Promise<TaskStatus> {
    if (event.kind === 'status') return event.status;
    if (event.kind === 'task') return event.task.status;
    return (await this.#options.past.statusAt(id, seq)) ?? NO_STATUS;
  }
}

const NO_STATUS: TaskStatus = { state: 'working', timestamp: new Date(0).toISOString() };
