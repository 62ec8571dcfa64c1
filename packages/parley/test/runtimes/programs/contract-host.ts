// One of the hosts of the contract on another runtime: contract-host.ts <name>. Reads orders as lines of JSON, and writes a line
// for each that it has carried out.
import { createInterface } from 'node:readline';
import type { Host, Hosting } from '../../adapters/support/host.ts';
import type { Order, Result } from '../orders.ts';

const MODULES: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
  node: () => import('../../adapters/hosts/node.ts'),
  fetch: () => import('../../adapters/hosts/fetch.ts'),
  express: () => import('../../adapters/hosts/express.ts'),
  hono: () => import('../../adapters/hosts/hono.ts'),
  fastify: () => import('../../adapters/hosts/fastify.ts'),
  koa: () => import('../../adapters/hosts/koa.ts'),
  native: () => import('./native-host.ts'),
};

const [module = '', name = ''] = process.argv.slice(2);
const host = (await MODULES[module]?.())?.[name] as Host;
const hostings: Hosting[] = [];

async function carryOut(order: Order): Promise<Result> {
  if (order.kind === 'start') {
    const hosting = await host.start(order.options);
    return { url: hosting.url, number: hostings.push(hosting) - 1 };
  }
  const hosting = hostings[order.number];
  if (order.kind === 'stop') await hosting?.stop();
  else return { load: await hosting?.load() };
  return {};
}

const write = (result: Result & { readonly id: number }) => console.log(JSON.stringify(result));
createInterface({ input: process.stdin }).on('line', (line) => {
  const order: Order & { readonly id: number } = JSON.parse(line);
  carryOut(order).then(
    (result) => write({ id: order.id, ...result }),
    (error: Error) => write({ id: order.id, problem: String(error.stack) }),
  );
});
console.log('ready');
