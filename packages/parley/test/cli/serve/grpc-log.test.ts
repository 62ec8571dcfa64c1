import { writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../setup/support/repository.ts';
import { tempFile } from '../../support/temp-folder.ts';
import { start } from '../support/child.ts';

const AGENT = `import { defineAgent } from ${JSON.stringify(join(ROOT, 'packages/parley/src/index.ts'))};
export const hello = defineAgent({ name: 'hello', description: 'Says hello', version: '1.0.0', run: () => 'Hello' });
`;

it('gives a terminal nothing but text of what strangers send to gRPC', async () => {
  const file = join(dirname(tempFile()), 'agent.ts');
  writeFileSync(file, AGENT);
  const running = start(['serve', file, '--port', '0', '--grpc-port', '0'], { cwd: dirname(file) });
  const said = () => running.output.stderr;
  const address = await running.until(() => /gRPC is on (\S+)/.exec(said())?.[1], 'the address of gRPC');
  const session = connect(`http://${address}`);
  session.on('error', () => {});
  const title = `\u009b31mred${'x'.repeat(5000)}`;
  const headers = { ':method': 'POST', ':path': '/lf.a2a.v1.A2AService/GetTask', 'content-type': 'application/grpc' };
  session.request({ ...headers, 'x-title': title }).on('error', () => {});
  await running.until(() => said().includes('x-title') || undefined, 'a line about the metadata');
  session.destroy();
  expect(said()).toMatch(/^parley: gRPC: Failed to add metadata entry x-title: .31mredx{100}/m);
  expect(said()).not.toContain('\u009b');
  expect(said().length).toBeLessThan(1000);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(0);
});
