import { isTask } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf, gate, pause } from '../support/script.ts';
import type { Sending } from './peer.ts';
import { PEER_NAMES, peersOf } from './peers.ts';

/** The state that the answer shows, from an agent that takes its time: until it has come, if the sender does not wait. */
async function stateThrough(name: string, sending: Partial<Sending>): Promise<string> {
  const answered = gate();
  const { server } = startServer(
    agentOf(async function* () {
      yield 'slowly';
      await (sending.atOnce ? answered.promise : pause(50));
    }),
  );
  const peer = peersOf(server.fetch).find((candidate) => candidate.name === name);
  const answer = await peer?.send({ messageId: 'm-1', text: 'go', ...sending });
  answered.resolve();
  if (!answer || !isTask(answer)) throw new Error('A task was expected');
  return answer.status.state;
}

describe.each(PEER_NAMES)('a send through %s', (name) => {
  it('waits where it says so [rule:send.blocking-default] [rule:v03.blocking]', async () => {
    expect(await stateThrough(name, { atOnce: false })).toBe('completed');
  });

  it('does not wait where it says so [rule:send.return-immediately] [rule:v03.blocking]', async () => {
    expect(await stateThrough(name, { atOnce: true })).not.toBe('completed');
  });

  it('without a configuration waits [rule:send.blocking-default] [rule:v03.blocking-absent-forms]', async () => {
    expect(await stateThrough(name, {})).toBe('completed');
  });

  it('with a configuration that does not say waits, but for ProtoJSON of 0.3 [rule:send.blocking-default] [rule:v03.blocking-absent-forms]', async () => {
    const state = await stateThrough(name, { historyLength: 5 });
    if (name.includes('as its proto has it')) expect(state).not.toBe('completed');
    else expect(state).toBe('completed');
  });
});
