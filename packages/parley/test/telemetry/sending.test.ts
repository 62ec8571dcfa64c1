import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../setup/support/repository.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const NODE = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

/** Starts a program that prints a line of JSON when it serves. */
async function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...NODE, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const first = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"url"')) first.resolve(line);
  });
  void exited.then(() => first.reject(new Error(errors.join(''))));
  const told: Wire = JSON.parse(await first.promise);
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { told, errors, stop, peer: new RpcPeer((request) => fetch(request), `${told.url}/a2a`) };
}

describe('traces and metrics go to a receiver of OTLP', () => {
  it('from parley serve, where OTEL_… is set, and what is left when it stops', async () => {
    const receiver = await startOtlpReceiver();
    const main = join(ROOT, 'packages/parley/src/cli/main.ts');
    const { peer, stop } = await start(
      [main, 'serve', 'examples/telemetry/agents.ts', '--default', 'writer', '--port', '0', '--json'],
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_METRICS_EXPORTER: 'otlp',
        OTEL_LOGS_EXPORTER: 'none',
      },
    );
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await peer.send('Q4', {}, undefined, { traceparent });
    expect(await stop()).toBe(0);
    const named = (name: string) => receiver.spans.find((span) => span.name === name);
    expect(named('SendMessage')).toMatchObject({
      traceId: 'a'.repeat(32),
      parentSpanId: 'b'.repeat(16),
      service: 'parley',
    });
    expect(named('invoke_agent writer')?.parentSpanId).toBe(named('SendMessage')?.spanId);
    expect(named('step look up')?.traceId).toBe('a'.repeat(32));
    for (const name of ['parley.requests', 'gen_ai.invoke_agent.duration', 'parley.tasks', 'parley.commit.duration']) {
      expect(receiver.metrics).toContain(name);
    }
  });

  it('from parley serve by the setting telemetry.endpoint, and nowhere with telemetry: false', async () => {
    const receiver = await startOtlpReceiver();
    const main = join(ROOT, 'packages/parley/src/cli/main.ts');
    const serve = [main, 'serve', 'examples/telemetry/agents.ts', '--port', '0', '--json'];
    const env = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      PARLEY_TELEMETRY_ENDPOINT: receiver.url,
    };
    const off = await start([...serve, '--set', 'telemetry=false'], env);
    await off.peer.send('Q4');
    expect(await off.stop()).toBe(0);
    expect(receiver.spans).toEqual([]);
    const on = await start([...serve, '--set', 'telemetry.serviceName=desk'], env);
    await on.peer.send('Q4');
    expect(await on.stop()).toBe(0);
    expect(receiver.spans.find(({ name }) => name === 'SendMessage')?.service).toBe('desk');
  });

  it('from the example, which has metrics on a port of their own and logs in JSON', async () => {
    const receiver = await startOtlpReceiver();
    const { peer, told, stop } = await start(['examples/telemetry/server.ts'], {
      PORT: '0',
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    await peer.send('Q4');
    await eventually(() => receiver.spans.map(({ name }) => name)).toContain('invoke_agent researcher');
    expect(await (await fetch(told.metrics)).text()).toContain(
      'parley_runs_total{agent="researcher",state="completed"} 1',
    );
    expect(receiver.metrics.size).toBe(0);
    expect(await stop()).toBe(0);
  });

  it('nowhere, without a delay or an error, where the receiver is not there', async () => {
    const { peer, stop } = await start(['examples/telemetry/server.ts'], {
      PORT: '0',
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_LOGS_EXPORTER: 'none',
    });
    expect((await peer.send('Q4')).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await stop()).toBe(0);
  });
});
