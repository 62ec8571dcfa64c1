import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor } from '@a2a-js/sdk/server';

// An agent as users of the official SDK write it. Nothing in this folder knows Parley.

const TIMES = ['07:10', '12:45', '18:20'];

/** Finds flights to the city in the message: one line for each, with a price that is the same every time. */
export const flightsExecutor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const statusOf = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
    const task: Task = {
      id: taskId,
      contextId,
      status: statusOf(TaskState.TASK_STATE_WORKING),
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    bus.publish(AgentEvent.task(task));
    const lines = flightsTo(textOf(userMessage)).join('\n');
    const part = {
      content: { $case: 'text', value: lines } as const,
      metadata: undefined,
      filename: '',
      mediaType: '',
    };
    const artifact = {
      artifactId: 'flights',
      name: 'flights',
      description: '',
      parts: [part],
      metadata: undefined,
      extensions: [],
    };
    bus.publish(
      AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
    );
    const status = statusOf(TaskState.TASK_STATE_COMPLETED);
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    bus.finished();
  },
  async cancelTask(taskId, bus) {
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
    bus.finished();
  },
};

/** Prices depend on the name of the city alone: this is an example, and no airline. */
export function flightsTo(city: string): readonly string[] {
  let sum = 0;
  for (const letter of city) sum += letter.codePointAt(0) ?? 0;
  const base = 60 + (sum % 200);
  return TIMES.map((time, index) => `${time} for ${base + index * 35} €`);
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}
