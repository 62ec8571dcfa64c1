import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  ServerCallContext,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { runScript } from './script.ts';

const card: AgentCard = {
  name: 'bench',
  description: 'Writes what the benchmark asks for',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'http://127.0.0.1/a2a', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
    { url: '127.0.0.1', protocolBinding: 'GRPC', tenant: '', protocolVersion: '1.0' },
  ],
  provider: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
};

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const content = userMessage.parts[0]?.content;
    bus.publish(AgentEvent.task(newTask(taskId, contextId, TaskState.TASK_STATE_SUBMITTED, [userMessage])));
    publishState(TaskState.TASK_STATE_WORKING);
    const artifactId = randomUUID();
    let append = false;
    for await (const text of runScript(content?.$case === 'text' ? content.value : '')) {
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId,
            name: '',
            description: '',
            parts: [textPart(text)],
            metadata: undefined,
            extensions: [],
          },
          append,
          lastChunk: false,
          metadata: undefined,
        }),
      );
      append = true;
    }
    publishState(TaskState.TASK_STATE_COMPLETED);
    bus.finished();

    function publishState(state: TaskState): void {
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state), metadata: undefined }));
    }
  },
  async cancelTask() {},
};

export async function startOfficial(seed: number): Promise<number> {
  const app = express();
  const requestHandler = await officialHandler(seed);
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    server.on('error', reject);
  });
}

/** The SDK's handler with the agent of the benchmark and so many finished tasks, without a transport. */
export async function officialHandler(seed: number): Promise<DefaultRequestHandler> {
  const store = new InMemoryTaskStore();
  const start = Date.now() - seed;
  const context = new ServerCallContext({ user: new UnauthenticatedUser(), requestedVersion: '1.0' });
  for (let index = 0; index < seed; index++) {
    const id = `seed-${String(index).padStart(8, '0')}`;
    const state = index % 3 === 0 ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_COMPLETED;
    const message = {
      messageId: `m-${index}`,
      contextId: `context-${index}`,
      taskId: id,
      role: Role.ROLE_USER,
      parts: [textPart('hello')],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    await store.save(newTask(id, `context-${index}`, state, [message], start + index), context);
  }
  return new DefaultRequestHandler(card, store, executor);
}

function newTask(id: string, contextId: string, state: TaskState, history: Task['history'], time?: number): Task {
  return { id, contextId, status: statusOf(state, time), artifacts: [], history, metadata: undefined };
}

function statusOf(state: TaskState, time: number = Date.now()): NonNullable<Task['status']> {
  return { state, message: undefined, timestamp: new Date(time).toISOString() };
}

function textPart(value: string): Task['history'][number]['parts'][number] {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}
