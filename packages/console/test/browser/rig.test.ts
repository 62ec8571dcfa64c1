import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { findBarriers } from '../support/axe.ts';
import { describeInBrowser, it } from '../support/browser-test.ts';
import { PageWatch } from '../support/page-watch.ts';

const POLICY = "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'";
const TRAPS: Readonly<Record<string, string>> = {
  '/plain': '<h1>Plain</h1><p>Nothing happens here.</p>',
  '/script': '<h1>Script</h1><script>document.title = "run"</script>',
  '/throws': '<h1>Throws</h1><script src="/throws.js"></script>',
  '/outside': '<h1>Outside</h1><img src="http://example.com/pixel.png" alt="">',
  '/barrier': '<h1>Barrier</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><button></button>',
};

describeInBrowser('the rig of the browser tests', () => {
  const server = createServer((request, response) => {
    if (request.url === '/throws.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end('throw new Error("from the page")');
      return;
    }
    const body = TRAPS[request.url ?? ''];
    const page = `<!doctype html><html lang="en"><title>Trap</title><main>${body}</main></html>`;
    response.writeHead(body ? 200 : 204, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(page);
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  it('passes a page that does nothing wrong', async ({ visit }) => {
    const page = await visit(`${origin}/plain`);
    expect(await page.getByRole('heading').textContent()).toBe('Plain');
    expect(await findBarriers(page)).toEqual([]);
  });

  it.for([
    ['/script', 'CSP: script-src-elem refused inline'],
    ['/throws', 'from the page'],
    ['/outside', 'example.com'],
  ] as const)('notices the trap %s', async ([path, problem], { browser }) => {
    const context = await browser.newContext();
    try {
      const watch = new PageWatch(origin, []);
      await watch.follow(context);
      const page = await context.newPage();
      await page.goto(`${origin}${path}`);
      await expect.poll(() => watch.problems.join('\n')).toContain(problem);
      expect(() => watch.assertQuiet()).toThrow(problem);
    } finally {
      await context.close();
    }
  });

  it('finds barriers', async ({ visit }) => {
    const page = await visit(`${origin}/barrier`);
    const found = (await findBarriers(page)).join('\n');
    expect(found).toContain('image-alt');
    expect(found).toContain('button-name');
  });
});
