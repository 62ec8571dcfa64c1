import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../../support/patience.ts';

/** Runs a curl command as it was printed. A machine without curl sends the same request. */
export async function runCurl(command: string): Promise<string> {
  if (!HAS_CURL) return (await fetch(...requestOf(command))).text();
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { timeout: PATIENCE_MS });
  if (stderr !== '') throw new Error(`curl: ${stderr}`);
  return stdout;
}

export const HAS_CURL = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v curl']);
    return true;
  } catch {
    return false;
  }
})();

/** Reads the few things of curl that our commands use: the address, `-H` and `-d` in single quotes. */
export function requestOf(command: string): [url: string, init: RequestInit] {
  const url = /\bhttps?:\/\/\S+/.exec(command)?.[0] ?? '';
  const headers = [...command.matchAll(/-H '([^:']+): ([^']*)'/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const body = /-d '([^']*)'/.exec(command)?.[1];
  return [url, body === undefined ? { headers } : { method: 'POST', headers, body }];
}
