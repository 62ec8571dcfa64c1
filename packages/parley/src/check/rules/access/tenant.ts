import { expectError, resultOf } from '../../expectations.ts';
import type { Probe } from '../../probe/probe.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable } from '../../verdict.ts';
import { type Answer, Caller } from '../../wire/caller.ts';
import { UNKNOWN_TASK } from '../tasks/get-and-cancel.ts';

const STRANGE = 'no-such-tenant-4711';

/** A tenant that the card names. */
function tenantOf({ server, binding }: Probe): string {
  const isOwn = (name: string) => (name === 'GRPC') === (binding === 'grpc');
  const named = server.declared.find((one) => one.tenant !== undefined && one.version === '1.0' && isOwn(one.binding));
  return named?.tenant ?? inapplicable('no interface of the card has a tenant');
}

/** A task of a tenant, made through an interface. */
async function taskFor(probe: Probe, tenant: string): Promise<string> {
  const params = probe.sendParams(await probe.promptFor('task'));
  return probe.taskOf(await callerFor(probe, tenant).call('send', { params })).id;
}

/** The same interface for another tenant, or for none. */
function callerFor(probe: Probe, tenant: string | undefined): Caller {
  return new Caller({ ...probe.caller.target, tenant }, probe.server.sender, probe.server.credentials);
}

export const TENANT: readonly Rule[] = [
  {
    id: 'tenant.rest-prefix',
    async check(probe) {
      const tenant = tenantOf(probe);
      const id = await taskFor(probe, tenant);
      resultOf(await callerFor(probe, tenant).call('get', { taskId: id }));
    },
  },
  {
    id: 'tenant.rest-field',
    async check(probe) {
      const tenant = tenantOf(probe);
      const id = await taskFor(probe, tenant);
      const bare = callerFor(probe, undefined);
      const byQuery = await bare.call('get', { taskId: id, params: { tenant } });
      if (byQuery.error !== undefined) fail('a tenant in the query is not read', byQuery.exchange);
      const wins = await callerFor(probe, tenant).call('get', { taskId: id, params: { tenant: STRANGE } });
      if (wins.error !== undefined) fail('the tenant of the path does not win', wins.exchange);
    },
  },
  {
    id: 'tenant.isolated',
    async check(probe) {
      const id = await taskFor(probe, tenantOf(probe));
      const answer = await callerFor(probe, undefined).call('get', { taskId: id });
      if (answer.error === undefined) fail('a task of a tenant is seen without one', answer.exchange);
    },
  },
  {
    id: 'tenant.unknown',
    async check(probe) {
      const answer = await callerFor(probe, STRANGE).call('get', { taskId: UNKNOWN_TASK });
      if (probe.binding === 'rest') expectNotFound(answer);
      else expectError(answer, 'TASK_NOT_FOUND', 'METHOD_NOT_FOUND', 'INVALID_PARAMS');
    },
  },
  {
    id: 'tenant.fixed-routes',
    async check(probe) {
      // A tenant with the name of a fixed route would take it over.
      const answer = await callerFor(probe, 'tasks').call('get', { taskId: UNKNOWN_TASK });
      expectNotFound(answer);
    },
  },
];

function expectNotFound({ error, exchange }: Answer): void {
  if (error?.status !== 404) fail('it is not answered as not found', exchange);
}
