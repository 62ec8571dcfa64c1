import { expect, it } from 'vitest';
import { CALLING_DIALECTS } from '../../src/dialects/calling/calling-dialects.ts';
import { informalDialect, PROTOCOL_NAMES } from '../../src/dialects/calling/informal-calling.ts';

const INPUT = { tenant: '', id: 't' };
const TIME = '2026-01-05T10:15:00.000Z';

/** A task whose status message has this role, in the words of every dialect at once. */
function wireTask(role: unknown): object {
  const parts = [{ kind: 'text', type: 'text', text: 'hi' }];
  const message = { kind: 'message', messageId: 'm', role, parts, content: parts };
  const state = role === 'narrator' ? 'working' : 'TASK_STATE_WORKING';
  return {
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state, message, timestamp: TIME },
    artifacts: [],
    history: [],
  };
}

it.each(PROTOCOL_NAMES)('a role that nobody knows, in an agent’s reply of %s, is the agent’s own', (name) => {
  const calling = informalDialect(name) ?? CALLING_DIALECTS.find(({ version }) => version === name);
  const roleOf = (role: unknown) => calling?.decodeResult.getTask(wireTask(role), INPUT).status.message?.role;
  expect(roleOf(name === '1.0' ? 'ROLE_NARRATOR' : 'narrator')).toBe('agent');
});
