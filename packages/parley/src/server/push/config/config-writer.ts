import type { DialectRegistry } from '../../../dialects/registry.ts';
import type { Clock, Owner, PushConfigDraft } from '../../../engine/ports.ts';
import type { IdSource } from '../../../model/basics/uuid.ts';
import type { Call } from '../../../model/call.ts';
import { type FieldViolation, invalidParams } from '../../../model/errors/errors.ts';
import { type PushEvents, type PushWishes, pushWishesOf } from '../../../model/extensions/push.ts';
import type { PushConfig, SendInput } from '../../../model/operations.ts';
import type { Outbound } from '../delivery/sender.ts';
import { type ConfigPlace, fieldPrefix, requireUsable, wishesInHeaders } from './config-fields.ts';
import type { ConfigSecrets } from './config-secrets.ts';
import { bodyOf } from './webhook-config.ts';

export interface ConfigWriterOptions {
  readonly outbound: Outbound;
  readonly secrets: ConfigSecrets;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly dialects: Pick<DialectRegistry, 'ofStoredName'>;
  /** The events of a config that says nothing of them. */
  readonly events: PushEvents;
}

/** Makes records of the configs that requests bring; refuses what could not be used. */
export class ConfigWriter {
  readonly #options: ConfigWriterOptions;

  constructor(options: ConfigWriterOptions) {
    this.#options = options;
  }

  /** `at`: the last place of the task's log. */
  fromRequest(config: PushConfig, owner: Owner, call: Call, at: number): Promise<PushConfigDraft> {
    return this.#write(config, owner, call, {
      wishes: wishesInHeaders(call),
      prefix: this.fieldPrefix(call, 'request'),
      at,
    });
  }

  /** `at`: that of the task that the message is for; for a new one, that of the message. */
  fromSend(config: PushConfig, owner: Owner, call: Call, input: SendInput, at: number): Promise<PushConfigDraft> {
    const violations: FieldViolation[] = [];
    const { events, snapshot } = wishesInHeaders(call);
    const said = pushWishesOf(input.metadata, violations);
    if (violations.length > 0) throw invalidParams(...violations);
    const wishes = { events: said.events ?? events, snapshot: said.snapshot ?? snapshot };
    return this.#write(config, owner, call, { wishes, prefix: this.fieldPrefix(call, 'send'), at });
  }

  /** The name of a config's member in the call's dialect, without the member. */
  fieldPrefix({ dialect }: Pick<Call, 'dialect'>, place: ConfigPlace): string {
    return fieldPrefix(this.#options.dialects.ofStoredName(dialect).webhooks, place);
  }

  async #write(
    config: PushConfig,
    owner: Owner,
    { dialect, trace }: Call,
    { wishes, prefix, at }: { readonly wishes: PushWishes; readonly prefix: string; readonly at: number },
  ): Promise<PushConfigDraft> {
    const { outbound, secrets, clock, newId } = this.#options;
    await requireUsable(config, prefix, outbound);
    const { url, token, authentication } = config;
    const revision = newId();
    const stored = await secrets.seal({ token, credentials: authentication?.credentials }, revision);
    const body = bodyOf(
      {
        url,
        scheme: authentication?.scheme,
        events: wishes.events ?? this.#options.events,
        snapshotAt: wishes.snapshot ? at : undefined,
        revision,
        trace,
      },
      stored,
    );
    return { id: config.id || newId(), owner, createdAt: clock.now(), dialect, body };
  }
}
