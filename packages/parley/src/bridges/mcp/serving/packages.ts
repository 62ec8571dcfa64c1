import type * as ServerPackage from '@modelcontextprotocol/server';
import type * as StdioPackage from '@modelcontextprotocol/server/stdio';
import { loadPackage } from '../load-package.ts';

export type McpServerPackage = typeof ServerPackage;

const NAME = '@modelcontextprotocol/server';

export function loadServerPackage(): Promise<McpServerPackage> {
  return loadPackage(NAME, () => import('@modelcontextprotocol/server'));
}

export function loadStdioPackage(): Promise<typeof StdioPackage> {
  return loadPackage(NAME, () => import('@modelcontextprotocol/server/stdio'));
}
