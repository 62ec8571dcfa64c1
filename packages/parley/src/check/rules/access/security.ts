import { expectError } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { Caller } from '../../wire/caller.ts';
import { nameOf } from '../../wire/errors.ts';
import { statusLine } from '../../wire/exchange.ts';
import { listAt } from '../../wire/json.ts';
import type { Operation } from '../../wire/operations.ts';
import { textIn } from '../../wire/shapes.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

const OPERATIONS: readonly Operation[] = ['send', 'get', 'cancel'];
/** Far beyond what a server takes; it is announced and never sent. */
const HUGE_BYTES = 10 ** 12;
/** A server that wants the whole body does not answer by then. */
const REFUSAL_MS = 1500;

function isGuarded(probe: Probe): boolean {
  const { card } = probe.server;
  return (listAt(card, 'securityRequirements') ?? listAt(card, 'security') ?? []).length > 0;
}

/** Another caller of the same interface. */
function otherCaller(probe: Probe): Caller {
  const other = probe.secondCaller();
  return new Caller(probe.caller.target, probe.server.sender, other);
}

export const SECURITY: readonly Rule[] = [
  {
    id: 'security.authenticate',
    async check(probe) {
      if (!isGuarded(probe)) inapplicable('the card requires no credentials');
      const nobody = new Caller(probe.caller.target, probe.server.sender, async () => ({}));
      for (const operation of OPERATIONS) {
        const params = operation === 'send' ? probe.sendParams({ text: 'Hello' }) : {};
        const { exchange } = await nobody.call(operation, {
          taskId: operation === 'send' ? undefined : UNKNOWN_TASK,
          params,
        });
        const status = exchange.got?.status;
        if (status !== 401 && status !== 403)
          fail(
            `${operation} without credentials is answered with ${exchange.got ? statusLine(exchange.got) : 'nothing'}`,
            exchange,
          );
      }
    },
  },
  {
    id: 'security.authorize',
    async check(probe) {
      const other = otherCaller(probe);
      const { id } = await probe.fresh('asking').catch(() => probe.running());
      for (const operation of ['get', 'cancel'] as const) {
        const answer = await other.call(operation, { taskId: id });
        if (answer.error === undefined) fail(`${operation} works on another caller’s task`, answer.exchange);
      }
      const params = probe.sendParams({ text: 'Hello' }, { message: { taskId: id } });
      const answer = await other.call('send', { params });
      if (answer.error === undefined) fail('a message to another caller’s task is taken', answer.exchange);
      await probe.drop(id);
    },
  },
  {
    id: 'security.indistinguishable',
    async check(probe) {
      const other = otherCaller(probe);
      const { id } = await probe.finished();
      const foreign = await other.call('get', { taskId: id });
      const unknown = await other.call('get', { taskId: UNKNOWN_TASK });
      if (foreign.error === undefined || unknown.error === undefined)
        fail('a foreign task is answered', foreign.exchange);
      const isSame = nameOf(foreign.error) === nameOf(unknown.error) && foreign.error.status === unknown.error.status;
      if (!isSame)
        fail('a foreign task is answered differently from an unknown one', foreign.exchange, unknown.exchange);
    },
  },
  {
    id: 'security.owner',
    async check(probe) {
      const other = otherCaller(probe);
      const { id } = await probe.finished();
      expectError(await other.call('get', { taskId: id }), 'TASK_NOT_FOUND');
      await probe.get(id);
    },
  },
  {
    id: 'security.same-schemes',
    async check(probe) {
      if (!isGuarded(probe)) inapplicable('the card requires no credentials');
      const proof = await probe.server.credentials(probe.url);
      if (Object.keys(proof).length === 0) skip('no credentials were given; see --token and --header');
      expectError(await probe.call('get', { taskId: UNKNOWN_TASK }), 'TASK_NOT_FOUND');
    },
  },
  {
    id: 'security.auth-required',
    async check(probe) {
      const task = await probe.fresh('authorizing');
      await probe.drop(task.id);
      if (textIn(task.statusMessage) === '') fail('the status message does not explain what is needed');
    },
  },
  {
    id: 'security.limits',
    async check(probe) {
      if (probe.binding === 'grpc') inapplicable('gRPC announces no size before its message');
      const usual = await probe.caller.outgoing('send', { params: {} });
      const headers = { ...usual.headers, 'content-length': String(HUGE_BYTES) };
      const { exchange } = await probe.caller.read({ ...usual, headers }, { odd: true, waitMs: REFUSAL_MS });
      // A server that closes the connection at once has refused as well.
      if (exchange.got === undefined && exchange.late) skip('the server reads a body to its end before it refuses it');
      if (exchange.got !== undefined && exchange.got.status < 400)
        fail('a body of a terabyte is not refused', exchange);
    },
  },
  {
    id: 'security.cors-off',
    async check(probe) {
      const usual = await probe.caller.outgoing('get', { taskId: UNKNOWN_TASK });
      const answer = await probe.caller.read(
        { ...usual, headers: { ...usual.headers, origin: 'https://stranger.example' } },
        { odd: true },
      );
      const allowed = answer.exchange.got?.headers['access-control-allow-origin'];
      if (allowed !== undefined) fail(`pages of other origins are let in (${allowed})`, answer.exchange);
    },
  },
];
