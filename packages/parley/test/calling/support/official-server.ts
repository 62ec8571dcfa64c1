import type { AddressInfo } from 'node:net';
import { type AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { onTestFinished } from 'vitest';

type Part = NonNullable<Task['status']>['message'] extends infer Message
  ? NonNullable<Message> extends { parts: (infer Item)[] }
    ? Item
    : never
  : never;

/** The official SDK's server, in both versions over both bindings: it says back what it is sent, part by part. */
export async function officialServer(): Promise<string> {
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const status = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
      const task: Task = {
        id: taskId,
        contextId,
        status: status(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      };
      const first = userMessage.parts[0]?.content;
      if (first?.$case === 'text' && first.value === 'just talk') {
        bus.publish(
          AgentEvent.message({ ...userMessage, messageId: 'm-reply', role: Role.ROLE_AGENT, taskId: '', contextId }),
        );
        bus.finished();
        return;
      }
      bus.publish(AgentEvent.task(task));
      if (first?.$case === 'text' && first.value === 'wait') return;
      const artifact = { artifactId: 'a-1', name: 'echo', description: '', metadata: undefined, extensions: [] };
      for (const [index, part] of userMessage.parts.entries()) {
        const chunk = { ...artifact, parts: [part as Part] };
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact: chunk,
            append: index > 0,
            lastChunk: false,
            metadata: undefined,
          }),
        );
      }
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: status(TaskState.TASK_STATE_COMPLETED),
          metadata: undefined,
        }),
      );
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: new Date().toISOString() };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
      bus.finished();
    },
  };
  const app = express();
  const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card: AgentCard = {
    name: 'echo',
    description: 'Says it back',
    version: '1.0.0',
    supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) => [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion },
    ]),
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: true, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    new InMemoryPushNotificationStore(),
  );
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return url;
}
