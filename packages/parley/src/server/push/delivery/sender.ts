import type { Clock, PushConfigRecord } from '../../../engine/ports.ts';
import { sha256, toBase64Url } from '../../../model/basics/bytes.ts';
import { traceHeaders } from '../../../model/basics/trace-context.ts';
import type { TraceContext } from '../../../model/call.ts';
import { isPushSecret } from '../../../push/signature/secrets.ts';
import type { Interceptors } from '../../intercept/interceptors.ts';
import { interceptedPost, type WebhookFacts } from '../../intercept/webhook.ts';
import type { ConfigSecrets } from '../config/config-secrets.ts';
import type { StoredConfig, WebhookSecrets } from '../config/webhook-config.ts';
import type { Notice } from '../notice/notice.ts';
import type { NoticeForm } from '../notice/notice-form.ts';
import { ID_HEADER, SEQ_HEADER, TIMESTAMP_HEADER, TOKEN_HEADER } from './header-names.ts';
import type { HostSlots } from './host-slots.ts';
import { type ReceiverAnswer, type Verdict, verdictOf } from './verdict.ts';

/** The way out of the server: it refuses addresses that callers may not reach through it. */
export interface Outbound {
  /** Rejects with an error whose text says what is wrong with the URL, to be read after the name of its field. */
  checkUrl(url: string): Promise<void>;
  post(url: string, request: OutboundRequest): Promise<ReceiverAnswer>;
}

export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A request on its way, as its signatures see it. */
export interface SignedRequest {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
  readonly url: string;
  readonly agent: string;
  readonly secrets: WebhookSecrets;
}

/** Makes the headers that prove who sends; where there is nothing to prove it with, none. */
export type SignRequest = (request: SignedRequest) => Promise<Readonly<Record<string, string>>>;

export interface SenderOptions {
  readonly outbound: Outbound;
  readonly slots: HostSlots;
  readonly secrets: ConfigSecrets;
  readonly sign: SignRequest;
  readonly clock: Clock;
  /** Milliseconds. */
  readonly timeout: number;
  /** Functions around each request. Default: none. */
  readonly interceptors?: Pick<Interceptors, 'webhook'> | undefined;
}

/** One webhook, as far as requests to it need it. */
export interface Receiver {
  readonly record: PushConfigRecord;
  readonly config: StoredConfig;
  readonly form: NoticeForm;
  readonly agent: string;
}

/** Sends notices to webhooks: one request for each attempt. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Never rejects: whatever goes wrong is a failed attempt. */
  async send(receiver: Receiver, notice: Notice, signal: AbortSignal): Promise<Verdict> {
    const { slots, clock, interceptors } = this.#options;
    try {
      const body = await notice.text(receiver.form);
      if (body === undefined) return { kind: 'skipped' };
      const { host } = new URL(receiver.config.url);
      const release = await slots.take(host);
      let isAnswered = signal.aborted;
      try {
        if (signal.aborted) return { kind: 'failed', why: 'The server stops' };
        const post = async (trace: TraceContext | undefined) => {
          const answer = await this.#post(receiver, notice, body, { signal, trace });
          isAnswered = true;
          return { status: answer.status, verdict: verdictOf(answer, clock.now()) };
        };
        const around = interceptors?.webhook;
        const { trace } = receiver.config;
        return around ? await interceptedPost(around, factsOf(receiver, notice), post) : (await post(trace)).verdict;
      } finally {
        release(isAnswered);
      }
    } catch (error) {
      return { kind: 'failed', why: problemOf(error) };
    }
  }

  async #post(
    receiver: Receiver,
    notice: Notice,
    body: string,
    { signal, trace }: { readonly signal: AbortSignal; readonly trace: TraceContext | undefined },
  ): Promise<ReceiverAnswer> {
    const { outbound, clock, sign, timeout } = this.#options;
    const { record, config, form, agent } = receiver;
    const secrets = await this.#options.secrets.open(config.secrets, config.revision);
    if (!secrets) throw new Error('The credentials of the webhook cannot be read: secretKey has not the key for them');
    const id = await webhookId(record, notice);
    const timestamp = Math.floor(clock.now() / 1000);
    const headers = {
      'content-type': form.contentType,
      'user-agent': 'parley-a2a',
      'a2a-version': form.dialect.version,
      [ID_HEADER]: id,
      [TIMESTAMP_HEADER]: String(timestamp),
      [SEQ_HEADER]: String(notice.seq),
      ...(trace && traceHeaders(trace)),
      ...ownHeaders(config, secrets),
      ...(await sign({ id, timestamp, body, url: config.url, agent, secrets })),
    };
    return outbound.post(config.url, { headers, body, signal, timeout });
  }
}

function factsOf({ record, config, agent }: Receiver, { seq, event }: Notice): WebhookFacts {
  const { taskId, id: webhookId } = record;
  const { url, trace } = config;
  return { agent, taskId, webhookId, url, seq, eventTime: event?.time, trace };
}

/** A token that is a signing secret is never sent. */
function ownHeaders({ scheme }: StoredConfig, { token, credentials }: WebhookSecrets): Record<string, string> {
  return {
    ...(token !== undefined && !isPushSecret(token) && { [TOKEN_HEADER]: token }),
    ...(scheme !== undefined && credentials && { authorization: `${scheme} ${credentials}` }),
  };
}

/** The same on every attempt, another one for every message of every webhook; it has no dot. */
async function webhookId({ taskId, id }: PushConfigRecord, { seq, kind }: Notice): Promise<string> {
  return toBase64Url(await sha256(JSON.stringify([taskId, id, seq, kind])));
}

const LONGEST_PROBLEM = 300;

function problemOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, LONGEST_PROBLEM).toWellFormed();
}
