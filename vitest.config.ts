import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SUITES_OVER_GRPC } from './packages/parley/test/grpc-rules/suites.ts';

const TESTS = ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'];

/**
 * Suites that take more than ten seconds alone on two cores: servers that are killed, readers that stall, builds,
 * benchmarks. `npm run test:long` runs them; `npm test` runs the rest.
 */
const LONG_TESTS = [
  'packages/console/test/wire/copied-code.test.ts',
  'packages/parley/test/adapters-next/**/*.test.ts',
  'packages/parley/test/crash/**/*.test.ts',
  'packages/parley/test/crash-llm/**/*.test.ts',
  'packages/parley/test/crash-steps/**/*.test.ts',
  'packages/parley/test/slow-readers/**/*.test.ts',
  ...[
    'adapters/backpressure',
    'adapters/opening',
    'bad-input/socket-bodies',
    'check/broken',
    'check/grpc',
    'check/official',
    'check/own-server',
    'cli/serve/serve',
    'cli/serve/nodes',
    'cli/serve/tls',
    'client/resuming/bad-line',
    'client/resuming/restart',
    'cluster/cluster',
    'cluster/example',
    'cluster/pooled',
    'cluster/rolling-restart',
    'cluster/sabotage',
    'cluster/standby',
    'drain/rolling-restart',
    'fuzz/fuzz',
    'fuzz/grpc/grpc-fuzz',
    'grpc-calling/ours',
    'grpc/lasting',
    'guide/guide',
    'guide/pages',
    'guide/tutorials',
    'interop/interruptions',
    'leases/stopped-process',
    'push/lost-none',
    'relay/restart',
    'rules/stream/sockets',
    'secrets/killed',
    'setup/bench',
    'setup/pack',
    'setup/site',
    'setup/start',
    'soak/soak',
    'starters/starters',
    'stores/list-cost',
    'stores/postgres/outages',
    'stores/postgres/plans',
    'stores/postgres/pooled',
    'stores/postgres/restart',
    'telemetry/sending',
  ].map((name) => `packages/parley/test/${name}.test.ts`),
];

/**
 * Suites that replace modules, timers or globals, or measure memory and processor time: each has a process of its own. The
 * others share one after the other, since to load the sources anew for each file takes longer than most of them.
 */
const APART_TESTS = [
  'adapters/frameworks/oldest-peers',
  // Servers that are killed within the process go on, and would take its time.
  'agents/steps/model',
  'bad-input/cost',
  'cli/terminal/status-line',
  'client/peers/browser',
  // HTTP/2 has state of its own in the process.
  'conversation/grpc',
  'edge/answers',
  'engine/timers/timer-lists',
  'grpc-calling/keep-alive',
  'grpc-calling/official-client',
  'grpc-calling/secure',
  'grpc/bounds',
  'grpc/clients-of-03',
  'grpc/guarding',
  'grpc/listening',
  'grpc/serving',
  'hostile-requests/hostile-requests',
  'hostile-servers/corpus',
  'limits/flexible-rates',
  'rules/stream/sse',
  'telemetry/models',
  'telemetry/tracing',
  'testing/test-agent',
].map((name) => `packages/parley/test/${name}.test.ts`);

/** Suites of the console in a real browser. They share one browser and one build. */
const LONG_BROWSER_TESTS = [
  'packages/console/test/browser-long/**/*.test.ts',
  ...[
    'attack',
    'check',
    'keyboard',
    'chat/media',
    'operate',
    'chat/questions',
    'sign-in',
    'tasks/task',
    'tasks/task-tree',
    'tasks/tasks',
    'wire/wire',
  ].map((name) => `packages/console/test/browser/${name}.test.ts`),
];
const BROWSER_TESTS = ['packages/console/test/browser/**/*.test.ts'];
const BROWSER_SETUP = 'packages/console/test/support/global-setup.ts';

/** For a machine that is busy with other things; a full run has much larger counts. */
const LONG_LIMIT_MS = process.env.TEST_FULL === '1' ? 7_200_000 : 900_000;

/**
 * Tests get a second try in CI, where a stranger's load decides how long things take. The reporter marks each that needed one
 * (`retry x1`): look into it as into a failure.
 */
const SECOND_TRY = process.env.CI ? 1 : 0;

export default defineConfig({
  resolve: { conditions: ['parley-source'] },
  ssr: { resolve: { conditions: ['parley-source'] } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: SECOND_TRY,
    // Hundreds of processes load the sources; what one of them has compiled, the next ones take from there.
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'parley-compile-cache') },
    setupFiles: ['packages/parley/test/support/fixed-seed.ts'],
    // Waiting for a sign of life ends when it comes; only a test that fails waits so long (test/support/patience.ts).
    expect: { poll: { timeout: 60_000 } },
    // By default one core is left free, which on a machine with two means one file after the other. Many tests wait for
    // a clock, a disk or a child process, so two at once take little more than half the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // `vitest run FILE` finds a file in each of the projects.
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: TESTS,
          exclude: [...configDefaults.exclude, ...LONG_TESTS, ...APART_TESTS, ...BROWSER_TESTS, ...LONG_BROWSER_TESTS],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART_TESTS } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER_TESTS,
          exclude: [...configDefaults.exclude, ...LONG_BROWSER_TESTS],
          globalSetup: BROWSER_SETUP,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser-long',
          include: LONG_BROWSER_TESTS,
          globalSetup: BROWSER_SETUP,
          testTimeout: LONG_LIMIT_MS,
          hookTimeout: LONG_LIMIT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'rules-over-grpc',
          include: SUITES_OVER_GRPC.map((name) => `packages/parley/test/${name}.test.ts`),
          setupFiles: ['packages/parley/test/grpc-rules/setup.ts'],
          testTimeout: LONG_LIMIT_MS,
          hookTimeout: LONG_LIMIT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG_TESTS,
          globalSetup: 'packages/parley/test/support/shared-folder.ts',
          testTimeout: LONG_LIMIT_MS,
          hookTimeout: LONG_LIMIT_MS,
        },
      },
    ],
  },
});
