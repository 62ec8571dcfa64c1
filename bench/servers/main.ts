/** One server in a process of its own; the options are the one argument, as JSON. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { takeCommitTimes } from './commit-times.ts';
import { LoopWatch } from './loop-watch.ts';
import type { Question, Report, StartOptions, Usage } from './protocol.ts';
import { finishedScripts, releaseGate } from './script.ts';

const KILOBYTE = 1024;
const RESOLUTION_MILLISECONDS = 1;
const NANOSECONDS = 1e6;
const loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
let watched: LoopWatch | undefined;

function report(message: Report): void {
  process.send?.(message);
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const peak = process.resourceUsage().maxRSS * KILOBYTE;
  return {
    cpu: user + system,
    heap: heapUsed + external,
    rss,
    peak,
    finished: finishedScripts(),
    loopDelay: loopDelay.count > 0 ? loopDelay.percentile(99) / NANOSECONDS : 0,
    loop: watched?.end(),
    commits: takeCommitTimes(),
  };
}

function watchLoop(): void {
  loopDelay.enable();
  loopDelay.reset();
}

async function start(options: StartOptions): Promise<number> {
  switch (options.kind) {
    case 'memory':
    case 'again':
    case 'jwt':
    case 'rate':
    case 'load':
    case 'grpc-memory':
    case 'grpc-sqlite':
    case 'sqlite': {
      const { startParley } = await import('./parley.ts');
      return startParley(options.kind, options);
    }
    case 'told':
    case 'told-again':
    case 'untold': {
      const { loaded } = await import('./without-telemetry.ts');
      const { startParley } = await loaded({ isWhole: options.kind !== 'untold' }, () => import('./parley.ts'));
      return startParley('memory', options);
    }
    case 'postgres':
    case 'postgres-watched':
    case 'postgres-steps':
    case 'sqlite-steps': {
      const { startNode } = await import('./postgres.ts');
      return startNode(options.kind, options.folder);
    }
    case 'official': {
      const { startOfficial } = await import('./official.ts');
      return startOfficial(options.seed);
    }
    case 'grpc-official': {
      const { startOfficialGrpc } = await import('./grpc/official.ts');
      return startOfficialGrpc();
    }
    case 'grpc-floor': {
      const { startGrpcFloor } = await import('./grpc/floor.ts');
      return startGrpcFloor();
    }
    case 'simple':
    case 'limit': {
      const { startFloor } = await import('./floor.ts');
      return startFloor(options.kind);
    }
    case 'sdk':
    case 'sdk-again':
    case 'sdk-written': {
      const { startSdkAlone } = await import('./models/sdk-alone.ts');
      return startSdkAlone({ writesEach: options.kind === 'sdk-written' });
    }
    case 'llm':
    case 'llm-again':
    case 'llm-sqlite':
    case 'yielding': {
      const { startModelAgent } = await import('./models/agents.ts');
      return startModelAgent(options.kind, options.folder);
    }
    case 'next': {
      const { startNext } = await import('./next.ts');
      return startNext();
    }
    case 'listen':
    case 'node':
    case 'express':
    case 'express4':
    case 'fastify':
    case 'koa':
    case 'fetch':
    case 'hono': {
      const { startAdapter } = await import('./adapters.ts');
      return startAdapter(options.kind);
    }
  }
}

async function answer(question: Question): Promise<void> {
  if (question === 'release') releaseGate();
  if (question === 'settle') for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  if (question === 'watch') watchLoop();
  if (question === 'fill' || question === 'fill-less' || question === 'purge') {
    const { changeOldTasks } = await import('./parley.ts');
    await changeOldTasks(question);
  }
  report({ type: 'usage', usage: usage() });
  if (question === 'watch-turns') watched = new LoopWatch();
}

process.on('message', (question: Question) => {
  answer(question).catch((error: unknown) => report({ type: 'failed', reason: String(error) }));
});
process.on('disconnect', () => process.exit());

try {
  report({ type: 'listening', port: await start(JSON.parse(process.argv[2] ?? '') as StartOptions) });
} catch (error) {
  report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
}
