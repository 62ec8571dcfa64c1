import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/model/basics/json.ts';
import type { AgentCard } from '../../../src/model/card.ts';
import { bytes } from '../../../src/model/parts.ts';
import { TASK_STATES } from '../../../src/model/states.ts';
import type { Artifact, Message, Part, StreamEvent, Task, TaskStatus } from '../../../src/model/task.ts';

/** As it comes out of a parser: no -0, no undefined. */
const parsed = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  arbitrary.map((value) => JSON.parse(JSON.stringify(value)) as Value);

export const jsonValue: fc.Arbitrary<JsonValue> = parsed(fc.jsonValue() as fc.Arbitrary<JsonValue>);
const jsonObject: fc.Arbitrary<JsonObject> = parsed(fc.dictionary(fc.string(), jsonValue, { maxKeys: 4 }));
const name = fc.string({ minLength: 1, maxLength: 12 });
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const attributes = { mediaType: maybe(name), filename: maybe(name), metadata: maybe(jsonObject) };

export const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: fc.string(), ...attributes }),
  fc.record({ kind: fc.constant('link' as const), url: fc.string({ minLength: 1 }), ...attributes }),
  fc.record({ kind: fc.constant('data' as const), data: jsonValue, ...attributes }),
  fc.record({
    kind: fc.constant('bytes' as const),
    bytes: fc.uint8Array().map((content) => bytes(content).bytes),
    ...attributes,
  }),
);

const parts = fc.array(part, { minLength: 1, maxLength: 3 });

export const message: fc.Arbitrary<Message> = fc.record({
  messageId: name,
  role: fc.constantFrom('user' as const, 'agent' as const),
  parts,
  contextId: maybe(name),
  taskId: maybe(name),
  referenceTaskIds: maybe(names),
  extensions: maybe(names),
  metadata: maybe(jsonObject),
});

const artifact: fc.Arbitrary<Artifact> = fc.record({
  artifactId: name,
  parts,
  name: maybe(name),
  description: maybe(name),
  extensions: maybe(names),
  metadata: maybe(jsonObject),
});

const status: fc.Arbitrary<TaskStatus> = fc.record({
  state: fc.constantFrom(...TASK_STATES),
  message: maybe(message),
  timestamp: fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
});

export const task: fc.Arbitrary<Task> = fc.record({
  id: name,
  contextId: fc.oneof(name, fc.constant('')),
  status,
  artifacts: fc.array(artifact, { maxLength: 2 }),
  history: fc.array(message, { maxLength: 2 }),
  metadata: maybe(jsonObject),
});

const update = { taskId: name, contextId: name, metadata: maybe(jsonObject) };

export const event: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.record({ kind: fc.constant('task' as const), task }),
  fc.record({ kind: fc.constant('message' as const), message }),
  fc.record({ kind: fc.constant('status' as const), status, ...update }),
  fc.record({
    kind: fc.constant('artifact' as const),
    artifact,
    append: fc.boolean(),
    lastChunk: fc.boolean(),
    ...update,
  }),
);

export const card: fc.Arbitrary<AgentCard> = fc.record({
  name,
  description: fc.string(),
  version: name,
  interfaces: fc.array(fc.record({ url: name, protocolBinding: name, protocolVersion: name, tenant: maybe(name) }), {
    minLength: 1,
    maxLength: 3,
  }),
  capabilities: fc.record({
    streaming: fc.boolean(),
    pushNotifications: fc.boolean(),
    extendedAgentCard: fc.boolean(),
    extensions: fc.array(
      fc.record({
        uri: name,
        description: maybe(name),
        required: fc.constantFrom(true, undefined),
        params: maybe(jsonObject.filter((params) => Object.keys(params).length > 0)),
      }),
      { maxLength: 2 },
    ),
  }),
  defaultInputModes: names,
  defaultOutputModes: names,
  skills: fc.array(
    fc.record({
      id: name,
      name,
      description: fc.string(),
      tags: names,
      examples: maybe(names),
      inputModes: maybe(names),
      outputModes: maybe(names),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  provider: maybe(fc.record({ organization: name, url: name })),
  documentationUrl: maybe(name),
  iconUrl: maybe(name),
});
