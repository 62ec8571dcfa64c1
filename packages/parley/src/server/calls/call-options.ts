import type { AgentCallOptions } from '../../agent/calls.ts';
import { SEND_OPTIONS } from '../../client/checks/call-options.ts';
import { type Checks, checkOptions, object, takes } from '../../model/options/checks.ts';

const { idempotencyKey: _, messageId: __, referenceTaskIds: ___, ...SEND } = SEND_OPTIONS;

const CALL: Checks<AgentCallOptions> = {
  ...SEND,
  forward: takes('true, false or a function', (value) => typeof value === 'boolean' || typeof value === 'function'),
  client: object,
};

/** Throws a TypeError for options of a call that nobody would read, and for wrong values. */
export function checkCall(options: AgentCallOptions): void {
  checkOptions('task.call', options, CALL);
}
