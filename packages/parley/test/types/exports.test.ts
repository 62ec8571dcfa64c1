import * as root from 'parley-a2a';
import * as sqlite from 'parley-a2a/sqlite';
import { expect, it } from 'vitest';

// A name that is exported is a promise. Adding one here is a decision; removing one breaks somebody's program.

const kinds = (module: object) =>
  Object.entries(module)
    .map(([name, value]) => `${name}: ${typeof value}`)
    .sort();

it('parley-a2a exports these values', () => {
  expect(kinds(root)).toEqual([
    'A2AError: function',
    'A2AServer: function',
    'RESUME_EXTENSION: string',
    'TERMINAL_STATES: object',
    'authRequired: function',
    'bytes: function',
    'bytesOf: function',
    'chunk: function',
    'complete: function',
    'defineAgent: function',
    'inputRequired: function',
    'isInterrupted: function',
    'isTask: function',
    'isTerminal: function',
    'json: function',
    'link: function',
    'memory: function',
    'parseJsonRpcRequest: function',
    'reject: function',
    'reply: function',
    'serve: function',
    'text: function',
    'textOf: function',
  ]);
  expect(root.RESUME_EXTENSION).toBe('urn:parley:ext:resume:v1');
  expect(root.TERMINAL_STATES).toEqual(['completed', 'failed', 'canceled', 'rejected']);
});

it('parley-a2a/sqlite exports these values', () => {
  expect(kinds(sqlite)).toEqual(['StoreError: function', 'sqlite: function']);
});

/** Fails to compile where a type is no longer exported. */
export type RootTypes = [
  root.A2AErrorCode,
  root.A2AServerOptions,
  root.Agent,
  root.AgentDefinition,
  root.AgentExtension,
  root.AgentProvider,
  root.AgentSkill,
  root.Artifact,
  root.ArtifactOptions,
  root.ArtifactWriter,
  root.AskOptions,
  root.BytesPart,
  root.Chunk,
  root.DataPart,
  root.FieldViolation,
  root.IncomingMessages,
  root.JsonObject,
  root.JsonValue,
  root.LinkPart,
  root.ListenOptions,
  root.Message,
  root.MessageContent,
  root.Outcome,
  root.Output,
  root.Part,
  root.PartAttributes,
  root.RunResult,
  root.ServerLimits,
  root.Task,
  root.TaskContext,
  root.TaskState,
  root.TaskStatus,
  root.TextPart,
  root.User,
];

export type SqliteTypes = [sqlite.SqliteOptions, sqlite.StoreErrorCode, sqlite.Synchronous];
