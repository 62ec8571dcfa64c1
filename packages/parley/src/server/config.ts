import { agentPath } from '../model/extensions/calls.ts';
import { fromTaskStore } from './follow/task-mirror.ts';
import { requireKnown } from './known-names.ts';
import { consoleLog } from './operator/console-log.ts';
import { quietLog } from './operator/quiet-log.ts';
import { OPTION_NAMES } from './option-names.ts';
import type { A2AServerOptions } from './options.ts';
import { normalPath } from './routing/paths.ts';

/** The options in the words of the core: one address, one store. Throws a TypeError for an option that there is not. */
export function resolveConfig(config: A2AServerOptions): A2AServerOptions {
  requireKnown('', config, OPTION_NAMES);
  const { taskStore, store, log = consoleLog, clock, statusMessageSource } = config;
  return {
    ...config,
    url: config.url ?? baseOfCards(config),
    store: taskStore ? fromTaskStore(taskStore, { store, log: quietLog(log), clock, statusMessageSource }) : store,
  };
}

/** The address of an agent of this server; the default one has the base path itself. */
export function addressOf(base: string, basePath = '/a2a', agent?: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}${normalPath(basePath)}${agent === undefined ? '' : agentPath(agent)}`;
}

/** `cardUrl` may be given with the base path or without. */
function baseOfCards({
  cardUrl,
  basePath = '/a2a',
}: Pick<A2AServerOptions, 'cardUrl' | 'basePath'>): string | undefined {
  const plain = cardUrl?.replace(/(?<!\/)\/+$/, '');
  const path = normalPath(basePath);
  return path !== '' && plain?.endsWith(path) ? plain.slice(0, -path.length) : plain;
}
