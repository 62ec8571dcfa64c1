import {
  type A2ACapabilities,
  type A2AClientConfig,
  type A2AError,
  type A2AMessage,
  type A2AServerConfig,
  type A2AStreamEvent,
  type A2ATask,
  type AgentCard,
  type AgentProvider,
  type AgentSkill,
  type Artifact,
  type DataPart,
  type FilePart,
  type JsonRpcError,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Part,
  type SendMessageConfiguration,
  type TaskArtifactUpdateEvent,
  type TaskFilter,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
  type TaskStore,
  TERMINAL_STATES,
  type TextPart,
} from 'parley-a2a/compat';
import { describe, expect, expectTypeOf, it } from 'vitest';

// The types test of the document (S3, Task 2), with its values as they stand there.
describe('A2A types (S3, Task 2) [seed:S3.2]', () => {
  it('should construct a valid AgentCard', () => {
    const card: AgentCard = {
      name: 'test-agent',
      url: 'https://example.com/a2a',
      version: '0.3',
      capabilities: { streaming: true, pushNotifications: false },
      skills: [
        {
          id: 'search',
          name: 'Web Search',
          description: 'Search the web',
          inputModes: ['text/plain'],
          outputModes: ['text/plain'],
        },
      ],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
    };
    expect(card.name).toBe('test-agent');
    expect(card.capabilities.streaming).toBe(true);
  });

  it('should construct a valid A2ATask', () => {
    const task: A2ATask = {
      id: 'task_123',
      contextId: 'ctx_456',
      status: { state: 'completed', timestamp: new Date().toISOString() },
      history: [],
      artifacts: [],
    };
    expect(task.status.state).toBe('completed');
  });

  it('should construct messages with different part types', () => {
    const textMsg: A2AMessage = {
      role: 'user',
      parts: [{ type: 'text', text: 'Hello' }],
    };

    const dataMsg: A2AMessage = {
      role: 'agent',
      parts: [{ type: 'data', mimeType: 'application/json', data: { key: 'value' } }],
    };

    const fileMsg: A2AMessage = {
      role: 'agent',
      parts: [{ type: 'file', uri: 'https://example.com/file.pdf', mimeType: 'application/pdf' }],
    };

    expect(textMsg.parts[0]?.type).toBe('text');
    expect(dataMsg.parts[0]?.type).toBe('data');
    expect(fileMsg.parts[0]?.type).toBe('file');
  });

  it('should validate all TaskState values', () => {
    const states: TaskState[] = ['working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'];
    expect(states).toHaveLength(6);
  });
});

describe('all types of the document', () => {
  it('have its members', () => {
    expectTypeOf<Part>().toEqualTypeOf<TextPart | FilePart | DataPart>();
    expectTypeOf<TaskStatus>().toHaveProperty('message');
    expectTypeOf<Artifact>().toHaveProperty('mimeType');
    expectTypeOf<AgentSkill>().toHaveProperty('examples');
    expectTypeOf<AgentProvider>().toHaveProperty('contactEmail');
    expectTypeOf<A2ACapabilities>().toHaveProperty('extendedAgentCard');
    expectTypeOf<AgentCard>().toHaveProperty('securitySchemes');
    expectTypeOf<AgentCard>().toHaveProperty('security');
    expectTypeOf<keyof TaskStore>().toEqualTypeOf<'create' | 'get' | 'update' | 'list' | 'delete'>();
    expectTypeOf<keyof TaskFilter>().toEqualTypeOf<'contextId' | 'state' | 'limit' | 'offset'>();
    expectTypeOf<keyof A2AError>().toEqualTypeOf<'code' | 'message' | 'data'>();
    expectTypeOf<JsonRpcError>().toEqualTypeOf<A2AError>();
    expectTypeOf<keyof SendMessageConfiguration>().toEqualTypeOf<
      'acceptedOutputModes' | 'historyLength' | 'blocking' | 'timeout'
    >();
    expectTypeOf<A2AStreamEvent>().toEqualTypeOf<TaskStatusUpdateEvent | TaskArtifactUpdateEvent>();
    expectTypeOf<A2AServerConfig>().toHaveProperty('cogitator');
    expectTypeOf<A2AClientConfig>().toHaveProperty('rpcPath');
    expectTypeOf<JsonRpcRequest>().toHaveProperty('method');
    expectTypeOf<JsonRpcResponse>().toHaveProperty('result');
    expectTypeOf<(typeof TERMINAL_STATES)[number]>().toEqualTypeOf<'completed' | 'failed' | 'canceled' | 'rejected'>();
    expect(TERMINAL_STATES).toEqual(['completed', 'failed', 'canceled', 'rejected']);
  });
});
