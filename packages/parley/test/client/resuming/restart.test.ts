import { A2AClient, type StreamEvent, textOf } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { ProcessPool, type ServerProcess } from '../../crash/server/process.ts';
import { textOfScript } from '../../crash/server/script-agent.ts';
import { matrix } from '../../interop/support/rows.ts';
import { tempFile } from '../../support/temp-folder.ts';

const RECONNECT = { firstDelay: 5, longestDelay: 50, attempts: 1_000 };

/** Opens the file in a process, and gives the port that it listens on. */
async function open(process: ServerProcess, file: string): Promise<number> {
  const peer = await process.open(file);
  const { url } = await peer.raw('/.well-known/agent-card.json');
  return Number(new URL(url).port);
}

matrix(({ version, binding }) => {
  it('goes on after the server was killed and started again [rule:resume.client-reconnect]', async () => {
    const pool = new ProcessPool();
    onTestFinished(() => pool.close());
    const file = tempFile();
    const first = pool.take();
    let port = await open(first, file);
    // The address stays while the port changes, as behind a load balancer.
    const viaCurrent: typeof fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      url.port = String(port);
      return fetch(url, init);
    };
    const attempts: number[] = [];
    const agent = await A2AClient.connect(`http://127.0.0.1:${port}`, {
      prefer: { version, binding },
      fetch: viaCurrent,
      reconnect: RECONNECT,
      onReconnect: ({ attempt }) => attempts.push(attempt),
    });
    const stream = agent.sendMessageStream('count 2000 5');
    const events: StreamEvent[] = [];
    let restarted: Promise<void> | undefined;
    for await (const event of stream) {
      events.push(event);
      if (events.length === 40) {
        restarted = (async () => {
          await first.kill();
          port = await open(pool.take(), file);
        })();
      }
    }
    await restarted;
    const task = await stream.task;
    // The agent keeps no journal, so what was running is lost; what it had said is not.
    expect(task.status.state).toBe('failed');
    expect(attempts.length).toBeGreaterThan(0);
    expect(task).toEqual(await agent.getTask(task.id));
    expect(textOf(task).length).toBeGreaterThan(100);
    expect(textOfScript('count 2000 5').startsWith(textOf(task))).toBe(true);
    const log: StreamEvent[] = [];
    for await (const event of agent.subscribe(task.id, { lastEventId: 0 })) log.push(event);
    expect(events.slice(1)).toEqual(log.slice(log.length - events.length + 1));
  });
});
