import { A2AServer } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { Opening } from '../../src/server/core/opening.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';

/** A server whose store fails once when the key that signs webhooks is read, which is after the engine has opened. */
function unlucky() {
  const file = tempFile();
  const inner = sqlite(file);
  let failures = 1;
  const store = withStore(inner, {
    keptValue(name: string) {
      failures -= 1;
      if (failures >= 0) throw new Error('disk I/O error');
      return inner.keptValue(name);
    },
  });
  const server = new A2AServer({
    agents: [agentOf((task) => task.text)],
    anonymous: 'shared',
    store,
    log: { error: () => {}, warn: () => {} },
  });
  onTestFinished(() => server.close());
  return { server, file };
}

describe('a server whose opening fails once its engine is open', () => {
  it('opens at the next try', async () => {
    const { server } = unlucky();
    await expect(server.open()).rejects.toThrow('disk I/O error');
    await server.open();
    expect((await new RpcPeer(server.fetch).send('hello')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('leaves its store to others when it is closed', async () => {
    const { server, file } = unlucky();
    await expect(server.open()).rejects.toThrow('disk I/O error');
    await server.close();
    const other = sqlite(file);
    await other.open();
    await other.close();
  });
});

it('a server that is closed closes each part, though one of them fails', async () => {
  const closed: string[] = [];
  const part = (name: string, fails = false) => ({
    open: async () => {},
    close: async () => {
      closed.push(name);
      if (fails) throw new Error(`${name} cannot be closed`);
    },
  });
  const engine = part('engine') as unknown as Engine;
  const opening = new Opening(engine, { telemetry: part('telemetry'), first: part('authentication', true) });
  await opening.open();
  await expect(opening.close()).rejects.toThrow('authentication cannot be closed');
  expect(closed).toEqual(['engine', 'authentication', 'telemetry']);
});
