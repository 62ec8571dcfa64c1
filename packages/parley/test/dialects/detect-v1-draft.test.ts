import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../src/dialects/detect.ts';
import { v1_draft } from '../../src/dialects/v1_draft/index.ts';
import { refusalOf } from './support/refusals.ts';

const NONE = { headerVersion: undefined, queryVersion: undefined };
const detect = (method: string, params: unknown, lenient = true) =>
  detectDialect({ ...NONE, method, params }, { lenient }).dialect.name;

const sent = (role: string) => ({ message: { messageId: 'm', role, parts: [{ text: 'hi' }] } });

/** What shows the draft, and what is like it and does not. */
const SIGNS: readonly (readonly [method: string, params: unknown])[] = [
  ['SendMessage', sent('user')],
  ['SendMessage', sent('agent')],
  ['SendStreamingMessage', sent('user')],
  ['StreamMessage', sent('ROLE_USER')],
  ['Resubscribe', { id: 'abc' }],
  ['SetTaskPushNotificationConfig', {}],
  ['ListTasks', { state: ['working'] }],
  ['ListTasks', { cursor: 'x' }],
  ['ListTasks', { limit: 0 }],
  ['GetTask', { taskId: 'abc' }],
  ['CancelTask', { taskId: 'abc' }],
  ['SubscribeToTask', { taskId: 'abc' }],
  ['GetTask', { id: null, taskId: 'abc' }],
];
const NO_SIGNS: typeof SIGNS = [
  ['SendMessage', sent('ROLE_USER')],
  ['SendMessage', sent('system')],
  ['SendMessage', {}],
  ['SendMessage', null],
  ['ListTasks', {}],
  ['ListTasks', { pageSize: 5, status: 'TASK_STATE_WORKING' }],
  ['ListTasks', { pageSize: 5, state: null, cursor: null }],
  ['GetTask', { id: 'abc' }],
  ['GetTask', { id: 'abc', taskId: 'abc' }],
  ['GetTaskPushNotificationConfig', { taskId: 'abc', id: 'c' }],
  ['NoSuchMethod', {}],
];

describe('the draft among requests without a version [rule:version.detect-draft]', () => {
  it.each(SIGNS)('is %s with %o', (method, params) => {
    expect(detect(method, params)).toBe('v1_draft');
  });

  it.each(NO_SIGNS)('is not %s with %o', (method, params) => {
    expect(detect(method, params)).toBe('v1_0');
  });

  it('is not guessed where nothing is, and never against a version', () => {
    for (const [method, params] of SIGNS) {
      expect(refusalOf(() => detect(method, params, false)).code).toBe('VERSION_NOT_SUPPORTED');
      const named = { ...NONE, headerVersion: '1.0', method, params };
      expect(detectDialect(named, { lenient: true }).dialect.name).toBe('v1_0');
    }
  });

  it('is what its address says, with its own version and no other (S2.6)', () => {
    const at = (headerVersion: string) => ({ ...NONE, headerVersion, method: 'GetTask', params: { id: 'abc' } });
    expect(detectDialect(at('1.0.1'), { lenient: false, pinned: v1_draft }).dialect).toBe(v1_draft);
    const error = refusalOf(() => detectDialect(at('2.0'), { lenient: true, pinned: v1_draft }));
    expect(error).toMatchObject({ code: 'VERSION_NOT_SUPPORTED', metadata: { supported: '1.0', requested: '2.0' } });
  });
});
