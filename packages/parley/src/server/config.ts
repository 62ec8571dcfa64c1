import { isPlainObject } from '../model/basics/json.ts';
import { agentPath } from '../model/extensions/calls.ts';
import { shown } from '../model/options/checks.ts';
import { fromTaskStore } from './follow/task-mirror.ts';
import { consoleLog } from './operator/console-log.ts';
import { quietLog } from './operator/quiet-log.ts';
import { checkServerOptions } from './option-checks.ts';
import type { A2AServerOptions } from './options.ts';
import { normalPath } from './routing/paths.ts';

/** The options in the words of the core: one address, one store. Throws a TypeError for an unknown option. */
export function resolveConfig(config: A2AServerOptions): A2AServerOptions {
  if (!isPlainObject(config))
    throw new TypeError(`A server takes options, such as { agents: [agent] }, not ${shown(config)}`);
  checkServerOptions(config);
  const { taskStore, store, log = consoleLog, clock, statusMessageSource } = config;
  return {
    ...config,
    store: taskStore ? fromTaskStore(taskStore, { store, log: quietLog(log), clock, statusMessageSource }) : store,
  };
}

/** The address of an agent of this server; the default one has the base path itself. */
export function addressOf(base: string, basePath = '/a2a', agent?: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}${normalPath(basePath)}${agent === undefined ? '' : agentPath(agent)}`;
}
