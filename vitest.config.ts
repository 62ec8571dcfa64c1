import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['parley-source'] },
  ssr: { resolve: { conditions: ['parley-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 30_000,
    setupFiles: ['packages/parley/test/support/fixed-seed.ts'],
    // By default one core is left free, which on a machine with two means one file after the other. Many tests wait for
    // a clock, a disk or a child process, so two at once take little more than half the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
