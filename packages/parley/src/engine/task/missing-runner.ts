import type { Runner } from '../turn/runner.ts';

/** Stands in for an agent that this server no longer hosts: its tasks can be read and ended, not continued. */
export function missingRunner(name: string): Runner {
  return { name, run: () => Promise.reject(new Error(`No agent "${name}" is hosted here`)) };
}
