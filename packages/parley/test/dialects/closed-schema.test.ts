import { describe, expect, it } from 'vitest';
import { violationsOf, violationsOfV1 } from './support/closed-schema.ts';
import { SCHEMA_V1 } from './support/schema-v1.ts';
import { SCHEMA_V03 } from './support/schema-v03.ts';

const task = { id: 't-1', status: { state: 'TASK_STATE_WORKING' } };

describe('the closed schema', () => {
  it('holds the messages of the protocol', () => {
    const ours = new Set(['Empty', 'ErrorInfo', 'BadRequest', 'FieldViolation']);
    const messages = Object.entries(SCHEMA_V1).filter(([type]) => !ours.has(type));
    expect(messages).toHaveLength(44);
    expect(messages.flatMap(([, members]) => Object.keys(members))).toHaveLength(176);
  });

  it('takes a valid value', () => {
    expect(violationsOfV1('Task', task)).toEqual([]);
    expect(violationsOfV1('Part', { data: null })).toEqual([]);
    expect(violationsOfV1('ListTasksResponse', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 })).toEqual(
      [],
    );
  });

  it.each([
    ['a member outside the schema', 'Task', { ...task, kind: 'task' }, 'Task.kind is not in the schema'],
    ['a missing member', 'Task', { status: task.status }, 'Task.id is missing'],
    ['a null member', 'Task', { ...task, contextId: null }, 'Task.contextId is not string: null'],
    ['an old state', 'TaskStatus', { state: 'working' }, 'TaskStatus.state is not TaskState: "working"'],
    ['an offset', 'TaskStatus', { ...task.status, timestamp: '2026-01-05T10:15:00+00:00' }, 'not Timestamp'],
    ['an empty required list', 'Artifact', { artifactId: 'a-1', parts: [] }, 'Artifact.parts is empty'],
    ['two contents', 'Part', { text: '', url: '' }, 'Part has 2 members of the oneof content'],
    ['no content', 'Part', {}, 'Part has 0 members of the oneof content'],
    ['unpadded base64', 'Part', { raw: 'aGk' }, 'Part.raw is not bytes'],
    ['a deep mistake', 'StreamResponse', { task: { ...task, history: [{}] } }, 'task.history[0].messageId is missing'],
    ['a wrong map value', 'SecurityRequirement', { schemes: { key: [] } }, 'schemes.key is not an object'],
  ])('finds %s', (_, type, value, violation) => {
    expect(violationsOfV1(type, value).join('\n')).toContain(violation);
  });

  it('tells the variants of 0.3 by their kind', () => {
    const violations = (part: unknown) => violationsOf(SCHEMA_V03, 'Part', part);
    expect(violations({ kind: 'text', text: '' })).toEqual([]);
    expect(violations({ kind: 'text', data: {} })).toEqual(['Part.data is not in the schema', 'Part.text is missing']);
    expect(violations({ kind: 'image' })).toEqual(['Part.kind is none of Part: "image"']);
    expect(violations({ text: '' })).toEqual(['Part.kind is none of Part: undefined']);
  });
});
