import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { readMessage } from '../../src/bindings/grpc/codec/read.ts';
import { tempFile } from '../support/temp-folder.ts';
import { type Json, RawClient, rpcOf } from './support/raw-client.ts';

const RESUME = 'urn:parley:ext:resume:v1';
const SCRIPT = fileURLToPath(new URL('./crash-grpc-server.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

const message = (text: string) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }] } });
it('loses and doubles nothing over a kill', async () => {
  const file = tempFile();
  const metadata = { 'a2a-extensions': RESUME };
  const first = await doomed(file);
  const rpc = rpcOf('sendStreamingMessage');
  const seen: Json[] = [];
  const call = new RawClient(first.address).open('sendStreamingMessage', message('count'), { metadata });
  const lost = new Promise<void>((resolve) => call.once('error', () => resolve()));
  call.on('data', (bytes: Buffer) => {
    seen.push(readMessage(rpc.response, bytes) as Json);
    if (seen.length === 10) void first.kill();
  });
  await lost;
  const second = await doomed(file);
  const [{ task }] = seen as [{ task: { id: string } }];
  const rest = await new RawClient(second.address).stream(
    'subscribeToTask',
    { id: task.id },
    { metadata: { ...metadata, 'a2a-last-event-id': String(seqOf(seen.at(-1))) } },
  );
  const all = [...seen, ...rest.messages];
  const seqs = all.map(seqOf);
  expect(seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))).toBe(true);
  expect(textOf(all)).toBe(Array.from({ length: 40 }, (_, index) => `${index} `).join(''));
  expect(all.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
});

function seqOf(event: Json | undefined): number {
  const [content] = Object.values(event ?? {}) as { metadata: Record<string, { seq: number }> }[];
  return content?.metadata[RESUME]?.seq ?? Number.NaN;
}

/** The text as a client puts it together: what does not continue an artifact begins it anew. */
function textOf(events: readonly Json[]): string {
  const updates = events.flatMap(({ artifactUpdate }) => (artifactUpdate ? [artifactUpdate] : []));
  let whole = '';
  for (const { append, artifact } of updates as { append?: boolean; artifact: { parts: { text?: string }[] } }[]) {
    const text = artifact.parts.map((part) => part.text ?? '').join('');
    whole = append === true ? whole + text : text;
  }
  return whole;
}

async function doomed(file: string) {
  const child = spawn(process.execPath, [...FLAGS, SCRIPT, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const [address] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('The server did not start'))),
  ])) as [string];
  return { address, kill };
}
