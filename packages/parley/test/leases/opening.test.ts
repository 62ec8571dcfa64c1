import { describe, expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { engineOn, Puppeteer, SCOPE } from '../engine/support/puppet.ts';
import { troubledStore } from '../support/stores/troubled-store.ts';
import { Nodes, start } from './support/nodes.ts';

/** Several times that of a lease. */
const LONG = 60_000;

function unopened() {
  const puppets = new Puppeteer();
  const nodes = new Nodes({ runner: puppets });
  const line = troubledStore(nodes.store);
  const bus = localBus();
  const clock = nodes.world.clock();
  const engine = engineOn(line.store, puppets, { bus, clock, drainTimeout: 0 });
  onTestFinished(() => engine.close());
  return { puppets, nodes, line, bus, engine };
}

describe('a node that could not be opened', () => {
  it.each([
    'the store takes no heartbeat',
    'the bus cannot be joined',
    'the store cannot be searched',
  ])('is alive for as long as any other once it is open, where before %s', async (trouble) => {
    const { puppets, nodes, line, bus, engine } = unopened();
    const join = bus.join.bind(bus);
    if (trouble.includes('heartbeat')) line.begin('fails', ['heartbeat']);
    else if (trouble.includes('searched')) line.begin('fails', ['abandoned']);
    else bus.join = () => Promise.reject(new Error('Nobody is there'));
    await expect(engine.open()).rejects.toThrow();
    line.end();
    bus.join = join;
    await engine.open();
    await nodes.world.pass(LONG);
    const task = await start(engine);
    puppets.of(task.id).end({ state: 'completed' });
    await nodes.world.pass(LONG);
    expect((await engine.get(SCOPE, { id: task.id })).status.state).toBe('completed');
    expect(engine.membership.problem).toBeUndefined();
  });

  it('relies on nothing that it held until it has told the store again that it is there', async () => {
    const { nodes, line, engine } = unopened();
    line.begin('fails', ['abandoned']);
    await expect(engine.open()).rejects.toThrow();
    expect(engine.membership.tenure.isGood).toBe(false);
    line.end();
    await engine.open();
    await nodes.world.pass(1000);
    expect(engine.membership.tenure.isGood).toBe(true);
  });
});
