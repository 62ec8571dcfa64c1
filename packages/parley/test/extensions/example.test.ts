import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIGESTS, digestOf, server } from '../../../../examples/extending/digests.ts';
import { shout } from '../../../../examples/extending/digests-client.ts';
import { HAS_CURL } from '../setup/support/curl.ts';
import { blocksOf } from '../setup/support/documents.ts';
import { ROOT } from '../setup/support/repository.ts';
import { RpcPeer, sendParams } from '../support/rpc.ts';

const run = promisify(execFile);

describe('the example of the page about extending', () => {
  let url = '';
  beforeAll(async () => {
    ({ url = '' } = await server.listen({ port: 0 }));
  });
  afterAll(() => server.close());

  it('is what the page shows', () => {
    const page = readFileSync(join(ROOT, 'docs/guides/extending.md'), 'utf8');
    for (const file of ['digests.ts', 'digests-client.ts']) {
      expect(page).toContain(`\`\`\`ts\n${readFileSync(join(ROOT, 'examples/extending', file), 'utf8')}\`\`\`\n`);
    }
  });

  it('is called by its client', async () => {
    expect(await shout(url, 'what is up')).toBe('WHAT IS UP');
  });

  it.skipIf(!HAS_CURL)('is called from a shell as the page says (skipped without curl)', async () => {
    const [command = ''] = blocksOf('docs/guides/extending.md', 'sh').filter((block) => block.includes('DIGEST'));
    const shown = command.replace('http://127.0.0.1:4002', url);
    const { stdout } = await run('sh', ['-c', shown]);
    const [head = '', body = ''] = stdout.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain(`a2a-extensions: ${DIGESTS}`);
    const { task } = JSON.parse(body);
    expect(task.artifacts[0].parts).toEqual([{ text: 'WHAT IS UP' }]);
    expect(task.metadata[DIGESTS]).toBe(digestOf('WHAT IS UP'));
    expect(task.history[0].metadata).toEqual({ [DIGESTS]: { checked: true } });
    const changed = await run('sh', ['-c', shown.replace('printf %s', 'printf %s!')]);
    expect(changed.stdout).toContain('The digest is not that of the text');
  });

  it('does nothing for those who do not name it', async () => {
    const peer = new RpcPeer(fetch, `${url}/a2a`);
    const { task } = await peer.call('SendMessage', sendParams('hi', { metadata: { [DIGESTS]: 'wrong' } }));
    expect([task.metadata, task.artifacts[0].parts]).toEqual([undefined, [{ text: 'HI' }]]);
  });
});
