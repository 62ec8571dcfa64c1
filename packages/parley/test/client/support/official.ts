import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentCard, type Message, Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { onTestFinished, vi } from 'vitest';
import { chunkText, parseScript } from '../../crash/server/script-agent.ts';
import { startOfficialGrpc } from '../../grpc-calling/official-grpc.ts';
import { textPart } from '../../interop/support/messages.ts';
import { pause } from '../../support/script.ts';

const COMPATIBLE = { legacyCompat: { enabled: true } };

/**
 * The official SDK's server in both versions and HTTP bindings, with an agent that does what the messages say: see
 * `crash/server/script-agent.ts`; `fail` fails.
 *
 * @param storeDelay milliseconds for each reading and writing of a task
 * @param agent another agent
 */
export async function startOfficial(
  storeDelay = 0,
  agent: AgentExecutor = executor(),
): Promise<{ readonly url: string; readonly port: number }> {
  const { url, port } = await startOfficialWith({ storeDelay, agent });
  return { url, port };
}

export interface OfficialSettings {
  readonly storeDelay?: number;
  readonly agent?: AgentExecutor;
  /** Serves gRPC too, on a port of its own, and has it on the card. */
  readonly grpc?: boolean;
}

export async function startOfficialWith({
  storeDelay = 0,
  agent = executor(),
  grpc = false,
}: OfficialSettings): Promise<{ readonly url: string; readonly port: number; readonly grpcUrl: string | undefined }> {
  // It says on the console what it answers.
  const silent = (['warn', 'error'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
  const app = express();
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const spy of silent) spy.mockRestore();
  });
  const card = cardAt(`http://127.0.0.1:${port}`);
  const requestHandler = new DefaultRequestHandler(
    card,
    storeDelay === 0 ? new InMemoryTaskStore() : new SlowStore(storeDelay),
    agent,
    undefined,
    new InMemoryPushNotificationStore(),
  );
  const grpcUrl = grpc ? await startOfficialGrpc(requestHandler) : undefined;
  // The address on the card is the one that was asked: there may be a proxy in between.
  const readdress = (request: IncomingMessage, _response: unknown, next: () => void) => {
    card.supportedInterfaces = [...interfacesAt(`http://${request.headers.host}`), ...grpcInterfaces(grpcUrl)];
    next();
  };
  app.use('/', readdress);
  const userBuilder = UserBuilder.noAuthentication;
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, ...COMPATIBLE }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder, ...COMPATIBLE }));
  app.use('/rest', restHandler({ requestHandler, userBuilder, ...COMPATIBLE }));
  return { url: `http://127.0.0.1:${port}`, port, grpcUrl };
}

type Store = InMemoryTaskStore;

/** A store that takes its time, as one over a network does: the task is then behind the events that are sent. */
class SlowStore extends InMemoryTaskStore {
  readonly #delay: number;

  constructor(delay: number) {
    super();
    this.#delay = delay;
  }

  override async load(...args: Parameters<Store['load']>): ReturnType<Store['load']> {
    await pause(this.#delay);
    return super.load(...args);
  }

  override async save(...args: Parameters<Store['save']>): ReturnType<Store['save']> {
    await pause(this.#delay);
    return super.save(...args);
  }
}

function interfacesAt(base: string): AgentCard['supportedInterfaces'] {
  return ['1.0', '0.3'].flatMap((protocolVersion) => [
    { url: `${base}/rpc`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion },
    { url: `${base}/rest`, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion },
  ]);
}

function grpcInterfaces(url: string | undefined): AgentCard['supportedInterfaces'] {
  if (url === undefined) return [];
  return ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: 'GRPC', tenant: '', protocolVersion }));
}

function cardAt(base: string): AgentCard {
  return {
    name: 'official',
    description: 'Does what it is told',
    version: '1.0.0',
    supportedInterfaces: interfacesAt(base),
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: true, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
}

function executor(): AgentExecutor {
  const canceled = new Set<string>();
  return {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const content = userMessage.parts[0]?.content;
      const script = content?.$case === 'text' ? content.value : '';
      const { verb, chunks, burst } = parseScript(script);
      if (verb === 'reply') {
        bus.publish(AgentEvent.message(agentMessage(contextId, '', 'Hello')));
        bus.finished();
        return;
      }
      const status = publisher(bus, taskId, contextId);
      const now = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
      const fresh = { id: taskId, contextId, status: now, artifacts: [], history: [userMessage], metadata: undefined };
      bus.publish(AgentEvent.task(task ?? fresh));
      status(TaskState.TASK_STATE_WORKING, `${chunks} chunks to come`);
      const artifactId = randomUUID();
      for (let index = 0; index < chunks && !canceled.has(taskId); index += 1) {
        const artifact = {
          artifactId,
          name: 'numbers',
          description: '',
          parts: [textPart(chunkText(index))],
          metadata: undefined,
          extensions: [],
        };
        const lastChunk = index === chunks - 1;
        bus.publish(
          AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: index > 0, lastChunk, metadata: undefined }),
        );
        if (index % burst === burst - 1) await pause(2);
      }
      while (verb === 'hang' && !canceled.has(taskId)) await pause(5);
      if (canceled.has(taskId)) status(TaskState.TASK_STATE_CANCELED);
      else if (verb === 'require') status(TaskState.TASK_STATE_INPUT_REQUIRED, 'What then?');
      else if ((verb as string) === 'fail') status(TaskState.TASK_STATE_FAILED, 'It broke');
      else status(TaskState.TASK_STATE_COMPLETED);
      bus.finished();
    },
    async cancelTask(taskId) {
      canceled.add(taskId);
    },
  };
}

function publisher(bus: ExecutionEventBus, taskId: string, contextId: string) {
  return (state: TaskState, text?: string) => {
    const message = text === undefined ? undefined : agentMessage(contextId, taskId, text);
    const status = { state, message, timestamp: new Date().toISOString() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  };
}

function agentMessage(contextId: string, taskId: string, text: string): Message {
  return {
    messageId: randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
