import type { Jwk } from '../../cards/keys/algorithms.ts';
import type { DialectRegistry } from '../../dialects/registry.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/basics/json.ts';
import type { IdSource } from '../../model/basics/uuid.ts';
import type { CardAddress } from '../cards/card.ts';
import type { Interceptors } from '../intercept/interceptors.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { A2AServerOptions } from '../options.ts';
import type { OutboundGuard } from '../outbound/guard.ts';
import { withoutSlashes } from '../routing/paths.ts';
import { vaultOf } from '../secrets/vault.ts';
import { KEYS_PATH } from '../well-known/published-keys.ts';
import { ConfigSecrets } from './config/config-secrets.ts';
import { ConfigWriter } from './config/config-writer.ts';
import { Deliveries } from './deliveries.ts';
import { HostSlots } from './delivery/host-slots.ts';
import { Sender } from './delivery/sender.ts';
import { noticeFormOf } from './notice/notice-form.ts';
import { NoticeTexts } from './notice/notice-texts.ts';
import { PastTasks } from './notice/past-tasks.ts';
import { PushOperations } from './operations.ts';
import { OperatorView } from './operator-view.ts';
import { type ResolvedPushSettings, readPushSettings } from './settings.ts';
import { PushKeys } from './signing/push-keys.ts';
import { signing } from './signing/sign-request.ts';

/** The webhooks of a server. */
export interface Push {
  readonly operations: PushOperations;
  readonly deliveries: Deliveries;
  readonly operators: OperatorView;
  /** The webhooks that cards declare; `base` is the address of the server, if it is known. */
  card(base?: string): CardAddress['push'];
  /** Changes whenever that does. */
  readonly revision: () => number;
  /** The public halves of the keys that sign. */
  keys(): Promise<readonly Jwk[]>;
  open(): Promise<void>;
  close(patience?: number): Promise<void>;
}

export interface PushParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: ServerLimits;
  readonly dialects: DialectRegistry;
  readonly interceptors: Interceptors;
  readonly newId: IdSource;
  readonly outbound: OutboundGuard;
  /** The path of an agent's card. */
  readonly cardPathOf: (agent: string) => string;
}

/** Undefined where webhooks are off. Throws a TypeError for invalid settings. */
export function pushOf(options: A2AServerOptions, parts: PushParts): Push | undefined {
  const settings = readPushSettings(options.push);
  if (!settings) return undefined;
  const { engine, clock, log, limits, dialects, interceptors, newId, outbound } = parts;
  const { store, tenure } = engine.membership;
  const vault = vaultOf(options.secretKey, log);
  const secrets = new ConfigSecrets(vault);
  const keys = new PushKeys({ given: settings.signingKeys, store, vault, log });
  const past = new PastTasks({ store, statusMessage: options.statusMessageSource });
  const deliveries = new Deliveries({
    store,
    clock,
    log,
    node: () => engine.node,
    tenure,
    sender: new Sender({
      outbound,
      slots: new HostSlots(settings.concurrency),
      secrets,
      sign: signing({ keys, secrets: settings.secrets, issuerOf: issuerOf(options, settings, parts) }),
      clock,
      timeout: settings.timeout,
      interceptors,
    }),
    retry: settings.retry,
    formOf: (dialect, events) => noticeFormOf(dialects.ofStoredName(dialect), events),
    random: Math.random,
    texts: new NoticeTexts({ past, transformOf: (agent) => interceptors.transformOf(agent) }),
    follow: (following) => engine.follow(following),
    followCommits: (follower) => engine.followCommits(follower),
  });
  const writer = new ConfigWriter({ outbound, secrets, clock, newId, dialects, events: settings.events });
  return {
    operations: new PushOperations({
      engine,
      store,
      writer,
      deliveries,
      dialects,
      mostConfigs: limits.pushConfigs,
      mostTasks: limits.pushTasks,
    }),
    deliveries,
    operators: new OperatorView({ store, deliveries }),
    card: (base) => ({ params: cardParams(keys, base) }),
    revision: () => keys.publicKeys.length,
    keys: async () => (await keys.jwks()).map((key) => ({ ...key })),
    open: async () => {
      await keys.open();
      await deliveries.open();
    },
    close: async (patience) => {
      await deliveries.close(patience ?? 0);
      await outbound.close();
    },
  };
}

function issuerOf(
  { url }: A2AServerOptions,
  { jwt }: ResolvedPushSettings,
  { cardPathOf }: PushParts,
): ((agent: string) => string) | undefined {
  if (!jwt) return undefined;
  if (url === undefined) throw new TypeError('push.jwt needs the setting url: the JWT names the card by its address');
  const base = withoutSlashes(url);
  return (agent) => `${base}${cardPathOf(agent)}`;
}

function cardParams({ publicKeys }: PushKeys, base: string | undefined): JsonObject {
  return {
    ...(publicKeys.length > 0 && { publicKeys }),
    ...(base !== undefined && { jwksUrl: `${withoutSlashes(base)}${KEYS_PATH}` }),
  };
}
