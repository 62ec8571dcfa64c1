import type { Wire } from '../../support/rpc.ts';
import { readSse } from '../../support/sse.ts';

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };
/** Milliseconds between two attempts to reach a server that is being exchanged. */
const AGAIN_AFTER = 50;

/** What a reader without a library of ours has seen of a task. */
export interface RawTask {
  readonly taskId: string;
  /** The text of the artifact, as the frames told it. */
  readonly text: string;
  readonly state: string;
  /** The ids of all frames, in the order in which they came. */
  readonly ids: readonly number[];
  /** Streams that the server ended before their end, each with `retry:` as its last line. */
  readonly comebacks: number;
}

/** Sends a message and reads its stream to the end of the task, as docs/protocol/resume.md says: by hand. */
export async function readRaw(url: string, text: string): Promise<RawTask> {
  const key = crypto.randomUUID();
  const message = { messageId: key, role: 'ROLE_USER', parts: [{ text }] };
  let asked = request('SendStreamingMessage', { message }, { 'idempotency-key': key });
  const seen = { taskId: '', text: '', state: '', ids: [] as number[], comebacks: 0 };
  for (;;) {
    const response = await untilAccepted(url, asked);
    const lines: string[] = [];
    await take(response, seen, lines);
    if (seen.state === 'TASK_STATE_COMPLETED' || seen.state === 'TASK_STATE_FAILED') return seen;
    if (lines.some((line) => line.startsWith('retry'))) seen.comebacks += 1;
    if (seen.taskId === '') continue;
    asked = request('SubscribeToTask', { id: seen.taskId }, { 'last-event-id': String(seen.ids.at(-1)) });
  }
}

function request(method: string, params: unknown, headers: Record<string, string>): RequestInit {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return { method: 'POST', headers: { ...HEADERS, ...headers }, body };
}

/** A server that stops says 503, one that is gone refuses connections. Anything else is an answer. */
async function untilAccepted(url: string, asked: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(`${url}/a2a`, asked).catch(() => undefined);
    if (response && response.status !== 503) return response;
    if (response && response.headers.get('retry-after') === null) throw new Error('503 without Retry-After');
    await response?.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
  }
}

async function take(response: Response, seen: Mutable<RawTask>, lines: string[]): Promise<void> {
  if (!response.body) throw new Error(`No stream: ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) throw new Error(`No stream: ${response.status} ${await response.text()}`);
  const [frames, raw] = response.body.tee();
  const whole = new Response(raw).text().catch(() => '');
  try {
    for await (const frame of readSse(frames)) apply(JSON.parse(frame.data), Number(frame.id), seen);
  } catch (error) {
    // A connection that is cut is like a stream that ended early; what an assertion says is not.
    if (!(error instanceof TypeError)) throw error;
  }
  lines.push(...(await whole).trimEnd().split('\n').slice(-1));
}

function apply({ result, error }: Wire, id: number, seen: Mutable<RawTask>): void {
  if (error) throw new Error(JSON.stringify(error));
  seen.ids.push(id);
  if (result.task) {
    seen.taskId = result.task.id;
    seen.state = result.task.status.state;
    seen.text = (result.task.artifacts ?? [])
      .flatMap(({ parts }: Wire) => parts.map((part: Wire) => part.text))
      .join('');
  }
  if (result.statusUpdate) seen.state = result.statusUpdate.status.state;
  const { artifact, append } = result.artifactUpdate ?? {};
  if (!artifact) return;
  const chunk = artifact.parts.map((part: Wire) => part.text).join('');
  seen.text = append ? seen.text + chunk : chunk;
}

type Mutable<Shape> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends readonly (infer One)[] ? One[] : Shape[Name];
};
