import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT: string = fileURLToPath(new URL('../../../../../', import.meta.url));

export function readJson(...path: readonly string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** A new folder and the function that removes it. */
export function temporaryFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-setup-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The environment of somebody's shell: without what `npm run` and vitest have put into ours, but for compiled code. */
export function shellEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(npm_|VITEST|NODE_(?!COMPILE_CACHE)|PORT$|HOST$|PARLEY_)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const path = process.env.PATH?.split(delimiter).filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return { ...Object.fromEntries(kept), PATH: path?.join(delimiter) };
}
