import { type PushSigning, signPush } from 'parley-a2a/push';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const OTHER_SECRET = 'whsec_C2FtcGxlIHNlY3JldCBmb3IgdGVzdHMgb25seSE=';
/** The clock of the tests: milliseconds since the epoch. */
export const NOW = 1_800_000_000_000;
export const now = (): number => NOW;

export function statusBody(state = 'TASK_STATE_WORKING', taskId = 'task-1'): string {
  const status = { state, timestamp: '2027-01-15T08:00:00.000Z' };
  return JSON.stringify({ statusUpdate: { taskId, contextId: 'context-1', status } });
}

export interface Sent extends Partial<PushSigning> {
  readonly seq?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A notification as a sender makes it. */
export async function notification(sent: Sent = {}) {
  const { id = 'msg_1', timestamp = NOW / 1000, body = statusBody(), secrets = [SECRET], signingKeys, seq } = sent;
  const signature = await signPush({ id, timestamp, body, secrets, signingKeys });
  const headers: Record<string, string> = {
    'content-type': 'application/a2a+json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
    ...(seq !== undefined && { 'parley-seq': String(seq) }),
    ...sent.headers,
  };
  return { headers, body };
}

/** The same as a request of the Fetch API. */
export async function request(sent: Sent = {}): Promise<Request> {
  const { headers, body } = await notification(sent);
  return new Request('https://hooks.example/a2a', { method: 'POST', headers, body: body as string });
}
