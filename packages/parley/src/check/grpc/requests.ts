import type { Version } from '../table/rule-info.ts';
import { METHODS, type Naming, type Operation } from '../wire/operations.ts';

const SERVICES: Readonly<Record<Version, string>> = { '1.0': 'lf.a2a.v1.A2AService', '0.3': 'a2a.v1.A2AService' };

/** Three procedures have other names in 0.3, which has none that lists tasks (reference: mapping §2). */
const NAMES_V0_3: Readonly<Partial<Record<Operation, string>>> = {
  ...METHODS['1.0'],
  subscribe: 'TaskSubscription',
  listPush: 'ListTaskPushNotificationConfig',
  extendedCard: 'GetAgentCard',
};

/** The path of a procedure (reference: v1-bindings §1, v03 §2). */
export function procedureOf(operation: Operation, version: Version): string {
  const names = version === '1.0' ? METHODS['1.0'] : NAMES_V0_3;
  return `/${SERVICES[version]}/${names[operation] ?? operation}`;
}

type Params = Readonly<Record<string, unknown>>;

/** The members of a request, with those that name things: ids in 1.0, resource names in 0.3 (reference: v03 §9). */
export function grpcNaming(operation: Operation, version: Version, naming: Naming, params: Params): Params {
  const { taskId, configId } = naming;
  if (taskId === undefined) return params;
  const isPush = operation.endsWith('Push');
  if (version === '1.0') {
    return isPush ? { taskId, ...(configId !== undefined && { id: configId }), ...params } : { id: taskId, ...params };
  }
  const task = `tasks/${taskId}`;
  if (operation === 'createPush') return { parent: task, configId: configIdIn(params), config: params };
  if (operation === 'listPush') return { parent: task, ...params };
  return { name: isPush ? `${task}/pushNotificationConfigs/${configId ?? ''}` : task, ...params };
}

/** The id that a config in the words of 0.3 has. */
function configIdIn({ name }: Params): string | undefined {
  return typeof name === 'string' ? name.split('/').at(-1) : undefined;
}
