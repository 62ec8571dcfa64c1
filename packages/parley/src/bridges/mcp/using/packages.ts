import type * as ClientPackage from '@modelcontextprotocol/client';
import type * as StdioPackage from '@modelcontextprotocol/client/stdio';
import { loadPackage } from '../load-package.ts';

const NAME = '@modelcontextprotocol/client';

export function loadClientPackage(): Promise<typeof ClientPackage> {
  return loadPackage(NAME, () => import('@modelcontextprotocol/client'));
}

/** Processes are for Node alone. */
export function loadStdioPackage(): Promise<typeof StdioPackage> {
  return loadPackage(NAME, () => import('@modelcontextprotocol/client/stdio'));
}
