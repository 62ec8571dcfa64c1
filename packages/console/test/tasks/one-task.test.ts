import { describe, expect, it } from 'vitest';
import type { TaskTree, TreeTask } from '../../../parley/src/server/operator/console-api.ts';
import { editMessage, isPlainMessage, textOfMessage } from '../../src/tasks/one/actions/edit-message.ts';
import { stepWords } from '../../src/tasks/one/time/step-words.ts';
import { rowsOf } from '../../src/tasks/one/time/waterfall-rows.ts';
import { traceLink } from '../../src/tasks/one/trace-link.ts';
import { isFailing, standingOf, type Webhook } from '../../src/tasks/one/webhooks/webhook.ts';

const at = (milliseconds: number) => new Date(milliseconds).toISOString();

describe('the waterfall', () => {
  const child: TreeTask = {
    taskId: 'child',
    agent: 'analyst',
    children: [{ taskId: 'gone', agent: 'other', url: 'https://elsewhere.example', children: [] }],
    found: {
      contextId: 'c',
      state: 'TASK_STATE_COMPLETED',
      createdAt: at(200),
      endedAt: at(600),
      spans: [
        { kind: 'queued', from: at(200), to: at(300) },
        { kind: 'running', from: at(300), to: at(600) },
      ],
      steps: [],
    },
  };
  const tree: TaskTree = {
    isCut: false,
    root: {
      taskId: 'root',
      agent: 'reporter',
      children: [child],
      found: {
        contextId: 'c',
        state: 'TASK_STATE_WORKING',
        createdAt: at(0),
        spans: [{ kind: 'running', from: at(0) }],
        steps: [
          { name: 'fetch', from: at(100), to: at(200), seq: 3 },
          { name: 'kept', from: at(-500), to: at(-300), seq: 3, isKept: true },
          { name: 'old', to: at(500), seq: 4 },
          { name: `call child ${'0g3vtxj'.repeat(4)} chain 1`, from: at(600), to: at(600), seq: 5 },
          { name: `call child ${'0g3vtxj'.repeat(4)} 1`, from: at(600), to: at(700), seq: 6 },
        ],
      },
    },
  };

  it('puts all tasks on one scale, and tells waiting for a slot from running', () => {
    const { rows, length } = rowsOf(tree, 1000);
    expect(length).toBe(1000);
    expect(rows.map(({ task, depth }) => [task.taskId, depth])).toEqual([
      ['root', 0],
      ['child', 1],
      ['gone', 2],
    ]);
    expect(rows[1]?.spans).toMatchObject([
      { kind: 'queued', left: 20, width: 10 },
      { kind: 'running', left: 30, width: 30 },
    ]);
    expect(rows[1]?.words).toBe('100 ms waiting for a slot, 300 ms running');
    expect(rows[0]?.spans).toMatchObject([{ kind: 'running', left: 0, width: 100 }]);
    expect(rows[0]?.steps).toMatchObject([
      { left: 10, width: 10, words: 'Step fetch, 100 ms' },
      { left: 0, width: 0, words: 'Step kept, kept' },
      { left: 50, width: 0, words: 'Step old' },
      { left: 60, width: 10, words: 'Call of child, 100 ms' },
    ]);
  });

  it('names a call by its agent, and leaves the names of other steps as they are', () => {
    const digest = 'k2f9zpq'.repeat(4);
    expect(stepWords(`call analyst ${digest} 1`)).toBe('Call of analyst');
    expect(stepWords(`call analyst ${digest} 3`)).toBe('Call of analyst, number 3');
    expect(stepWords(`call ${digest} chain 1`)).toBe('Call of another server');
    expect(stepWords('call the bank')).toBe('Step call the bank');
    expect(stepWords('fetch 2')).toBe('Step fetch 2');
  });

  it('shows a task that took no time', () => {
    const found = {
      ...child.found,
      contextId: 'c',
      state: 's',
      createdAt: at(5),
      endedAt: at(5),
      spans: [],
      steps: [],
    };
    const { rows } = rowsOf({ isCut: false, root: { taskId: 'a', agent: 'a', children: [], found } }, 5);
    expect(rows[0]).toMatchObject({ spans: [], words: '' });
  });
});

describe('the message of a rerun', () => {
  it('is edited as text where it is one, and keeps what else it has', () => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }], metadata: { skillId: 's' } };
    expect(textOfMessage(message)).toBe('Hi');
    expect(editMessage(message, 'Hello')).toEqual({
      role: 'ROLE_USER',
      parts: [{ text: 'Hello' }],
      metadata: { skillId: 's' },
    });
  });

  it('is edited as JSON where it is more than a text', () => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }, { data: { a: 1 } }] };
    expect(isPlainMessage(message)).toBe(false);
    expect(editMessage(message, textOfMessage(message))).toEqual({ role: 'ROLE_USER', parts: message.parts });
    expect(() => editMessage(message, '{')).toThrow('The message is not JSON');
    expect(() => editMessage(message, '[]')).toThrow('must be a JSON object');
  });
});

describe('the link to a trace', () => {
  it.each([
    ['https://traces.example/{traceId}?x={traceId}', 'https://traces.example/a%2Fb?x=a%2Fb'],
    ['https://traces.example/', 'https://traces.example/a%2Fb'],
    ['javascript:alert({traceId})', undefined],
    ['//traces.example/{traceId}', undefined],
    [undefined, undefined],
  ])('%s', (setting, link) => {
    expect(traceLink(setting, 'a/b')).toBe(link);
  });
});

describe('a webhook', () => {
  const webhook: Webhook = {
    taskId: 't',
    id: 'w',
    url: 'https://hook.example',
    createdAt: at(0),
    position: 3,
    taskSeq: 3,
    standing: 'active',
    isPending: false,
    failures: 0,
    failingSince: null,
    lastTry: null,
    lastError: null,
    nextTry: null,
  };
  it.each([
    [{}, 'up to date', false],
    [{ isPending: true }, 'being told', false],
    [{ failures: 2, isPending: true }, 'failing', true],
    [{ standing: 'disabled' }, 'disabled', true],
    [{ standing: 'paused' }, 'paused', true],
    [{ standing: 'ended' }, 'given up', true],
  ] as const)('%j is %s', (change, word, fails) => {
    expect(standingOf({ ...webhook, ...change }).word).toBe(word);
    expect(isFailing({ ...webhook, ...change })).toBe(fails);
  });
});
