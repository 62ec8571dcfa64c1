import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { a2aNext } from 'parley-a2a/next';
import { benchServer } from './parley.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');

/** As much of Next as is used. Its own types would change those of Node for the whole repository. */
type Next = (options: {
  readonly dev: boolean;
  readonly dir: string;
  readonly hostname: string;
  readonly port: number;
}) => { readonly prepare: () => Promise<void>; readonly getRequestHandler: () => RequestListener };

/** The route is built elsewhere, but runs in this process: it takes its handlers from here. */
const HANDLERS = 'parleyBenchHandlers';
const ROUTE = `
export const dynamic = 'force-dynamic';
export const POST = (request) => globalThis.${HANDLERS}.POST(request);
`;

/** An app with one route, built before this process listens. It has to be in the repository to find Next. */
export async function startNext(): Promise<number> {
  const apps = join(ROOT, '.next-apps');
  mkdirSync(apps, { recursive: true });
  const folder = mkdtempSync(join(apps, 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'app/a2a'), { recursive: true });
  writeFileSync(join(folder, 'app/a2a/route.js'), ROUTE);
  writeFileSync(join(folder, 'next.config.mjs'), 'export default {};\n');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: folder, env });

  Object.assign(globalThis, { [HANDLERS]: a2aNext(benchServer()) });
  Object.assign(process.env, { NODE_ENV: 'production' });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const next = createRequire(import.meta.url)('next') as Next;
  const app = next({ dev: false, dir: folder, hostname: '127.0.0.1', port });
  await app.prepare();
  server.on('request', app.getRequestHandler());
  return port;
}
