import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { A2AClient } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { type Running, start } from '../cli/support/child.ts';
import { ROOT } from '../setup/support/repository.ts';
import { countOf } from '../support/full.ts';
import { tempFile } from '../support/temp-folder.ts';
import { type RawTask, readRaw } from './support/raw-reader.ts';

/** Counts, with a step before each number: a run that is handed to the next process goes on behind the last one. */
const AGENT = `import { defineAgent } from ${JSON.stringify(join(ROOT, 'packages/parley/src/index.ts'))};
export default defineAgent({
  name: 'counter', description: 'Counts', version: '1.0.0', resumable: true,
  async *run(task) {
    for (let number = 0; number < 25; number += 1) {
      await task.step(\`count \${number}\`, () => new Promise((resolve) => setTimeout(resolve, 20)));
      yield \`\${task.text}:\${number} \`;
    }
  },
});
`;

const expected = (text: string) => Array.from({ length: 25 }, (_, number) => `${text}:${number} `).join('');

/** More than a server that starts on a busy machine needs. */
const PATIENT = { attempts: 1000, firstDelay: 50, longestDelay: 1000 };

const RESTARTS = countOf(3, 20);

async function serve(cwd: string, port: string): Promise<{ readonly running: Running; readonly url: string }> {
  const args = ['serve', 'agent.ts', '--db', 'tasks.db', '--port', port, '--drain-timeout', '200ms', '--json'];
  const running = start(args, { cwd });
  const url = await running.until((stdout) => /"url":"([^"]+)"/.exec(stdout)?.[1], 'a start');
  return { running, url };
}

it('a rolling restart under load loses and doubles nothing, for clients of ours and for others', async () => {
  const cwd = dirname(tempFile());
  writeFileSync(join(cwd, 'agent.ts'), AGENT);
  let { running, url } = await serve(cwd, '0');
  const { port } = new URL(url);
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  let sent = 0;

  let reconnects = 0;
  const onReconnect = () => {
    reconnects += 1;
  };
  const client = await A2AClient.connect(url, { retry: PATIENT, reconnect: PATIENT, onReconnect });
  /** Does one thing after the other until the load is over. */
  const busy = async <Result>(once: (text: string) => Promise<Result>): Promise<readonly Result[]> => {
    const results: Result[] = [];
    while (!isOver) {
      sent += 1;
      results.push(await once(`t${sent}`));
    }
    return results;
  };
  const streams = Array.from({ length: 4 }, () =>
    busy(async (text) => {
      const stream = client.sendMessageStream(text);
      let got = '';
      for await (const chunk of stream.textStream) got += chunk;
      expect(got).toBe(expected(text));
      expect((await stream.task).status.state).toBe('completed');
    }),
  );
  const blocking = Array.from({ length: 2 }, () =>
    busy(async (text) => expect(await client.run(text)).toBe(expected(text))),
  );
  const raw = Array.from({ length: 4 }, () =>
    busy(async (text): Promise<RawTask> => {
      const seen = await readRaw(url, text);
      expect([seen.state, seen.text]).toEqual(['TASK_STATE_COMPLETED', expected(text)]);
      // No event twice, and none out of order.
      expect(seen.ids).toEqual([...new Set(seen.ids)].toSorted((one, other) => one - other));
      return seen;
    }),
  );
  const load = Promise.all([...streams, ...blocking]);
  const others = Promise.all(raw);

  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const before = sent;
    // Each server has taken on new work, and has runs of the one before it, when it is stopped.
    await Promise.race([expect.poll(() => sent).toBeGreaterThan(before + 10), load, others]);
    running.child.kill('SIGTERM');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, '']);
    ({ running } = await serve(cwd, port));
  }
  isOver = true;
  await load;
  const comebacks = (await others).flat().reduce((all, one) => all + one.comebacks, 0);
  // The restarts were felt, by either kind of client.
  expect(reconnects).toBeGreaterThan(0);
  expect(comebacks).toBeGreaterThan(0);

  // One task for each message: what was sent again after a refusal was not carried out twice.
  const tasks: string[] = [];
  for await (const task of client.listTasks()) tasks.push(task.status.state);
  expect(tasks).toHaveLength(sent);
  expect(new Set(tasks)).toEqual(new Set(['completed']));
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
