import type { DialectRegistry } from '../../dialects/registry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger, Store } from '../../engine/ports.ts';
import type { IdSource } from '../../model/basics/uuid.ts';
import type { CardAddress } from '../cards/card.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { A2AServerOptions } from '../options.ts';
import { vaultOf } from '../secrets/vault.ts';
import { ConfigSecrets } from './config/config-secrets.ts';
import { ConfigWriter } from './config/config-writer.ts';
import { Deliveries } from './deliveries.ts';
import { HostSlots } from './delivery/host-slots.ts';
import { Sender } from './delivery/sender.ts';
import { fetchOutbound } from './fetch-outbound.ts';
import { noticeFormOf } from './notice/notice-form.ts';
import { NoticeTexts } from './notice/notice-texts.ts';
import { PastTasks } from './notice/past-tasks.ts';
import { PushOperations } from './operations.ts';
import { readPushSettings } from './settings.ts';

/** The webhooks of a server. */
export interface Push {
  readonly operations: PushOperations;
  readonly deliveries: Deliveries;
  /** What cards tell of them. */
  card(): CardAddress['push'];
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface PushParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: ServerLimits;
  readonly dialects: DialectRegistry;
  readonly interceptors: Interceptors;
  readonly newId: IdSource;
}

/** Undefined where webhooks are off. Throws a TypeError for settings that are none. */
export function pushOf(options: A2AServerOptions, parts: PushParts): Push | undefined {
  const settings = readPushSettings(options.push);
  if (!settings) return undefined;
  const { engine, store, clock, log, limits, dialects, interceptors, newId } = parts;
  const secrets = new ConfigSecrets(vaultOf(options.secretKey, log));
  const outbound = fetchOutbound();
  const past = new PastTasks({ store, statusMessage: options.statusMessageSource });
  const deliveries = new Deliveries({
    store,
    clock,
    log,
    node: () => engine.node,
    sender: new Sender({
      outbound,
      slots: new HostSlots(settings.concurrency),
      secrets,
      sign: async () => ({}),
      clock,
      timeout: settings.timeout,
    }),
    retry: settings.retry,
    formOf: (dialect, events) => noticeFormOf(dialect, events, dialects),
    random: Math.random,
    texts: new NoticeTexts({ past, transformOf: (agent) => interceptors.transformOf(agent) }),
    mostConfigs: limits.pushConfigs,
    followCommits: (follower) => engine.followCommits(follower),
  });
  const writer = new ConfigWriter({ outbound, secrets, clock, newId, events: settings.events });
  return {
    operations: new PushOperations({ engine, store, writer, deliveries, mostConfigs: limits.pushConfigs }),
    deliveries,
    card: () => ({}),
    open: () => deliveries.open(),
    close: () => deliveries.close(limits.closeGrace),
  };
}
