import { fromExecutor, isTask, textOf } from 'parley-a2a';
import { TestAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

// Executors for the SDK's 0.3: everything has a `kind`, states have names, and a status says whether it is the last.

interface OldMessage {
  readonly kind: 'message';
  readonly role: 'user' | 'agent';
  readonly parts: readonly { readonly kind: string; readonly text?: string; readonly file?: object }[];
}

interface OldContext {
  readonly userMessage: OldMessage;
  readonly taskId: string;
  readonly contextId: string;
  readonly task?: {
    readonly kind: 'task';
    readonly status: { readonly state: string };
    readonly history: OldMessage[];
  };
}

interface OldBus {
  publish(event: { readonly kind: string }): void;
  finished(): void;
}

abstract class OldExecutor {
  abstract work(context: OldContext, bus: OldBus): Promise<void> | void;

  async execute(context: OldContext, bus: OldBus): Promise<void> {
    await this.work(context, bus);
  }

  async cancelTask(): Promise<void> {}
}

const CARD = {
  name: 'Old Agent',
  description: 'Older',
  protocolVersion: '0.3.0',
  version: '0.1.0',
  url: 'http://localhost:41241/',
  capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: true },
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [{ id: 'chat', name: 'Chat', description: 'Talks', tags: ['chat'] }],
};

function hosting(executor: OldExecutor): TestAgent {
  const agent = new TestAgent(fromExecutor(executor, CARD));
  onTestFinished(() => agent.close());
  return agent;
}

const textPart = (text: string) => ({ kind: 'text', text });
const said = (text: string) => ({
  kind: 'message' as const,
  role: 'agent' as const,
  messageId: crypto.randomUUID(),
  parts: [textPart(text)],
});

function statusUpdate({ taskId, contextId }: OldContext, state: string, text: string, final: boolean) {
  const status = { state, message: said(text), timestamp: new Date().toISOString() };
  return { kind: 'status-update', taskId, contextId, status, final };
}

function artifactUpdate({ taskId, contextId }: OldContext, parts: readonly object[], more = {}) {
  return { kind: 'artifact-update', taskId, contextId, artifact: { artifactId: 'a-1', name: 'a', parts }, ...more };
}

async function sent(agent: TestAgent, text: string, taskId?: string) {
  const answer = await agent.client.sendMessage(text, { taskId });
  if (!isTask(answer)) throw new Error('A message');
  return { ...answer, said: answer.status.message ? textOf(answer.status.message) : '' };
}

describe('an executor for 0.3', () => {
  it('publishes a task, chunks and a final status', async () => {
    class Old extends OldExecutor {
      work(context: OldContext, bus: OldBus): void {
        const { taskId: id, contextId, userMessage } = context;
        const status = { state: 'submitted', timestamp: new Date().toISOString() };
        bus.publish({ kind: 'task', id, contextId, status, history: [userMessage] } as { kind: string });
        bus.publish(statusUpdate(context, 'working', 'At it', false));
        bus.publish(artifactUpdate(context, [textPart('one ')], { append: false, lastChunk: false }));
        const file = { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'hi.txt' } };
        const link = { kind: 'file', file: { uri: 'https://files.example.com/b' } };
        const data = { kind: 'data', data: { rows: 2 } };
        bus.publish(artifactUpdate(context, [textPart('two'), file, link, data], { append: true, lastChunk: true }));
        bus.publish(statusUpdate(context, 'completed', `Heard ${userMessage.parts[0]?.text}`, true));
        bus.finished();
      }
    }
    const task = await sent(hosting(new Old()), 'hello');
    expect(task).toMatchObject({ status: { state: 'completed' }, said: 'Heard hello' });
    expect(task.artifacts).toMatchObject([
      {
        artifactId: 'a-1',
        name: 'a',
        parts: [
          { kind: 'text', text: 'one ' },
          { kind: 'text', text: 'two' },
          { kind: 'bytes', bytes: 'aGk=', mediaType: 'text/plain', filename: 'hi.txt' },
          { kind: 'link', url: 'https://files.example.com/b' },
          { kind: 'data', data: { rows: 2 } },
        ],
      },
    ]);
  });

  it('answers with a message', async () => {
    class Old extends OldExecutor {
      work({ userMessage }: OldContext, bus: OldBus): void {
        bus.publish(said(`You said ${userMessage.parts[0]?.text}`));
        bus.finished();
      }
    }
    const answer = await hosting(new Old()).client.sendMessage('hello');
    expect([isTask(answer), textOf(answer)]).toEqual([false, 'You said hello']);
  });

  it('goes on with its task in the next turn', async () => {
    class Old extends OldExecutor {
      work(context: OldContext, bus: OldBus): void {
        const { task, userMessage } = context;
        if (!task) {
          bus.publish(statusUpdate(context, 'input-required', 'Which city?', true));
          return;
        }
        const talk = task.history.map(({ role, parts }) => `${role}: ${parts[0]?.text}`);
        const text = `${task.kind} ${task.status.state} ${userMessage.role} ${talk.join(' | ')}`;
        bus.publish(statusUpdate(context, 'completed', text, true));
      }
    }
    const agent = hosting(new Old());
    const { id } = await sent(agent, 'Weather');
    const task = await sent(agent, 'Paris', id);
    expect(task.said).toBe('task input-required user user: Weather | agent: Which city? | user: Paris');
  });

  it('may return before it is done, and say more after a state that is not the last', async () => {
    class Old extends OldExecutor {
      work(context: OldContext, bus: OldBus): void {
        setImmediate(() => {
          bus.publish(statusUpdate(context, 'completed', 'As good as done', false));
          bus.publish(artifactUpdate(context, [textPart('late but in time')], { lastChunk: true }));
          bus.finished();
        });
      }
    }
    const task = await sent(hosting(new Old()), 'Go');
    expect(task).toMatchObject({ status: { state: 'completed' }, said: 'As good as done' });
    expect(textOf(task)).toBe('late but in time');
  });

  it('needs to say so where there is no official card', async () => {
    let kind: unknown;
    class Old extends OldExecutor {
      work({ userMessage }: OldContext, bus: OldBus): void {
        kind = userMessage.kind;
        bus.publish(said('Hi'));
      }
    }
    const about = { name: 'old', description: 'Older', version: '0.1.0', sdk: '0.3' } as const;
    const agent = new TestAgent(fromExecutor(new Old(), about));
    onTestFinished(() => agent.close());
    await agent.client.sendMessage('hello');
    expect(kind).toBe('message');
  });
});
