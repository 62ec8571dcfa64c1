import type { TraceContext } from '../../model/call.ts';
import type { Verdict } from '../push/delivery/verdict.ts';
import type { Interceptors } from './interceptors.ts';
import type { InterceptedWebhook } from './subjects.ts';

/** The facts of a request to a webhook. */
export type WebhookFacts = Omit<InterceptedWebhook, 'continueTrace'>;

/** The outcome of a request, with the status of the response. */
interface Posted {
  readonly verdict: Verdict;
  readonly status: number;
}

/** A request to a webhook, as interceptors see it. */
class WebhookAttempt implements InterceptedWebhook {
  readonly agent: string;
  readonly taskId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly seq: number;
  readonly eventTime: number | undefined;
  trace: TraceContext | undefined;

  constructor({ agent, taskId, webhookId, url, seq, eventTime, trace }: WebhookFacts) {
    this.agent = agent;
    this.taskId = taskId;
    this.webhookId = webhookId;
    this.url = url;
    this.seq = seq;
    this.eventTime = eventTime;
    this.trace = trace;
  }

  continueTrace(trace: TraceContext): void {
    this.trace = trace;
  }
}

/** Posts with the interceptors around it. `post` gets the trace that the request is part of. */
export async function interceptedPost(
  around: NonNullable<Interceptors['webhook']>,
  facts: WebhookFacts,
  post: (trace: TraceContext | undefined) => Promise<Posted>,
): Promise<Verdict> {
  let posted: Posted | undefined;
  const attempt = new WebhookAttempt(facts);
  await around(attempt, async () => {
    posted = await post(attempt.trace);
    return { kind: posted.verdict.kind, status: posted.status };
  });
  if (!posted) throw new TypeError('An interceptor of webhooks must call next() and wait for it, or throw');
  return posted.verdict;
}
