import { describe, expect, it } from 'vitest';
import { lab } from '../../../../examples/agents/index.ts';
import { openServer } from '../../src/check/connect.ts';
import { importGrpc } from '../../src/check/grpc/import-grpc.ts';
import { Caller } from '../../src/check/wire/caller.ts';
import { cli } from '../cli/support/in-process.ts';
import { startServer, type Wire } from '../support/rpc.ts';
import { brokenGrpc, type GrpcDefect, withStatus } from './support/broken-grpc.ts';
import { checked, idsWith } from './support/checked.ts';

interface DefectCase extends GrpcDefect {
  readonly name: string;
  readonly rule: string;
  /** Rules that cannot but see it as well. */
  readonly also?: readonly string[];
}

const UNKNOWN = 2;
const NOT_FOUND = 5;

const DEFECTS: readonly DefectCase[] = [
  {
    name: 'has another status for an error',
    rule: 'errors.grpc-status',
    status: (ended) => (ended.code === NOT_FOUND ? withStatus(ended, UNKNOWN) : ended),
  },
  {
    name: 'has another status than its details',
    rule: 'errors.grpc-status',
    status: (ended) => (ended.code === NOT_FOUND ? withStatus(ended, UNKNOWN, { isInDetails: false }) : ended),
  },
  {
    name: 'has no details',
    rule: 'errors.info',
    also: ['errors.fields'],
    status: (ended) => (ended.code === 0 ? ended : withStatus(ended, ended.code, { hasDetails: false })),
  },
  {
    name: 'takes every error of a stream for its end',
    rule: 'stream.grpc-error',
    also: ['subscribe.unknown', 'subscribe.terminal'],
    status: (ended, rpc) => (rpc.operation === 'subscribeToTask' ? { ...ended, code: 0 } : ended),
  },
  {
    name: 'does not look at the version',
    rule: 'version.grpc-metadata',
    also: ['version.unsupported'],
    metadata: (metadata) => metadata.remove('a2a-version'),
  },
  {
    name: 'does not begin a stream with the task',
    rule: 'stream.first-frame-task',
    also: ['stream.order', 'subscribe.first-task', 'subscribe.interrupted'],
    message: (json: Wire, { operation }, index) =>
      operation === 'sendStreamingMessage' && index === 0 ? undefined : json,
  },
  {
    name: 'gives more than it is asked for',
    rule: 'list.page-size',
    message: (json: Wire, { operation }) =>
      operation === 'listTasks' ? { ...json, tasks: Array.from({ length: 60 }, () => json.tasks?.[0] ?? {}) } : json,
    also: ['list.order', 'list.order-stable', 'list.cursor', 'list.sizes', 'list.filters', 'errors.validate-first'],
  },
  {
    name: 'writes no messages of the protocol',
    rule: 'get.bare',
    also: [
      'stream.close-one',
      'stream.nothing-after-terminal',
      'stream.chunks',
      'subscribe.atomic',
      'list.artifacts-present',
    ],
    bytes: (bytes, { operation }) => (operation === 'getTask' ? bytes.subarray(1) : bytes),
  },
];

const AREAS = 'errors,stream,subscribe,version,list,get';

describe('parley check on a server of gRPC that', () => {
  it('has no defect finds none', async () => {
    const url = await brokenGrpc({}, '1.0', '0.3');
    const { results, code, summary } = await checked(url, '--only', `${AREAS},send,v03`);
    expect(summary.interfaces).toEqual(['1.0 grpc', '0.3 grpc']);
    // The card of this test is that of 1.0 alone.
    const broken = idsWith(results, 'FAIL', 'WARN').filter((id) => id !== 'v03.card-members');
    expect(broken).toEqual([]);
    expect(code).toBe(1);
  });

  it.each(DEFECTS)('$name finds $rule', async ({ rule, also = [], name: _name, ...defect }) => {
    const url = await brokenGrpc(defect);
    const { results } = await checked(url, '--only', AREAS, '--binding', 'grpc', '--timeout', '60');
    const broken = idsWith(results, 'FAIL', 'WARN');
    expect(broken).toContain(rule);
    expect(broken.filter((id) => id !== rule && !also.includes(id))).toEqual([]);
    const found = results.find(({ id }) => id === rule)?.outcomes.find(({ verdict }) => verdict === 'FAIL');
    expect(found?.interface).toBe('1.0 grpc');
    expect(found?.evidence[0]?.sent[0]).toMatch(/^gRPC http:\/\/127\.0\.0\.1:\d+\/lf\.a2a\.v1\.A2AService\/\w+$/);
    expect(found?.evidence[0]?.received[0]).toMatch(/^gRPC \d+ [A-Z_]+$/);
  });
});

it('looks at gRPC alone where it is asked to, and names the interface', async () => {
  const { server } = startServer([lab], { grpc: { port: 0 } });
  await server.listen({ port: 0 });
  const args = ['check', server.url ?? '', '--only', 'get', '--protocol', '1.0', '--binding', 'grpc'];
  const { stdout, code } = await cli(args);
  expect(stdout.split('\n').slice(0, 4)).toEqual([`lab at ${server.url}`, '1.0 grpc', '', 'get']);
  expect(stdout).toContain('\n2 passed, 0 failed, 0 warnings, 0 skipped, 1 not applicable');
  expect(code).toBe(0);
});

it('says what to install where the packages of gRPC are missing, and looks at the other interfaces', async () => {
  const { server } = startServer([lab], { grpc: { port: 0 } });
  await server.listen({ port: 0 });
  const missing = { importGrpc: () => Promise.reject(new Error("Cannot find package '@grpc/grpc-js'")) };
  const others = await openServer(server.url ?? '', missing);
  expect(others.targets.map(({ binding }) => binding)).toEqual(['jsonrpc', 'rest', 'jsonrpc', 'rest']);
  expect(others.leftOut).toEqual([
    '1.0 grpc, 0.3 grpc: An interface of gRPC takes two more packages: npm install @grpc/grpc-js @bufbuild/protobuf',
  ]);
  others.sender.close();
  await expect(openServer(server.url ?? '', { ...missing, binding: 'grpc' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_OPERATION',
    message: 'An interface of gRPC takes two more packages: npm install @grpc/grpc-js @bufbuild/protobuf',
  });
});

it('tells that nobody is there', async () => {
  const { server } = startServer([lab], { grpc: { port: 0 } });
  await server.listen({ port: 0 });
  const { targets, sender, credentials } = await openServer(server.url ?? '', {
    importGrpc,
    binding: 'grpc',
    version: '1.0',
  });
  await server.close();
  const [target] = targets;
  if (!target) throw new Error('There is no interface');
  const { exchange } = await new Caller(target, sender, credentials).call('get', { taskId: 'x' });
  expect(exchange.got).toBeUndefined();
  expect(exchange.trouble).toMatch(/^no response: /);
  sender.close();
});
