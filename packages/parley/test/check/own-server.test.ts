import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/index.ts';
import { cli } from '../cli/support/in-process.ts';
import { startServer } from '../support/rpc.ts';

async function labUrl(): Promise<string> {
  const { server } = startServer([lab]);
  await server.listen({ port: 0 });
  return server.url ?? '';
}

describe('parley check on our own server', () => {
  it('finds nothing wrong, in every version and binding', async () => {
    const { code, stdout } = await cli(['check', await labUrl()]);
    const broken = stdout.split('\n').filter((line) => /^ {2}(?:FAIL|WARN)/.test(line));
    expect(broken).toEqual([]);
    expect(stdout).toContain('1.0 jsonrpc, 1.0 rest, 0.3 jsonrpc, 0.3 rest');
    expect(stdout).toMatch(/PASS {2}send\.wrapped +v1-bindings 4\.2 /);
    expect(code).toBe(0);
  });
});
