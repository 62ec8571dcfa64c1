import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { RpcPeer, sendParams } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';
import type { Answer, Question, ServerReport, StartOptions, StoreKind } from './protocol.ts';
import { type Volume, volumeText } from './writer-agent.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', '--expose-gc'];

/** A server in a process of its own, so that what it holds is not mixed up with what the test holds. */
export class MeasuredServer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #peer: RpcPeer;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.#peer = new RpcPeer((request) => fetch(request), `${url}/a2a`);
  }

  /** It ends with the test. */
  static async start(
    store: StoreKind,
    limits?: StartOptions['limits'],
    host?: StartOptions['host'],
  ): Promise<MeasuredServer> {
    const options: StartOptions = { store, file: tempFile(), limits, host };
    const child = fork(SCRIPT, [JSON.stringify(options)], { execArgv: FLAGS });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    const answer = await nextAnswer(child);
    if (!('url' in answer)) throw new Error('The server did not say where it listens');
    return new MeasuredServer(child, answer.url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  report(): Promise<ServerReport> {
    return this.#ask('report');
  }

  /** A report in which only what is needed counts as held. */
  collected(): Promise<ServerReport> {
    return this.#ask('collect');
  }

  /** Lets the agents write that wait for it. */
  async go(): Promise<void> {
    await this.#ask('go');
  }

  /** The id of a new task, whose agent waits for `go()`. */
  async newTask(volume: Volume): Promise<string> {
    const params = sendParams(volumeText(volume), {}, { returnImmediately: true });
    // A connection that is kept for later would count as a handle.
    const { task } = await this.#peer.call('SendMessage', params, { connection: 'close' });
    return task.id;
  }

  /** Questions are asked one at a time. */
  async #ask(question: Question): Promise<ServerReport> {
    const answered = nextAnswer(this.#child);
    this.#child.send(question);
    const answer = await answered;
    if ('url' in answer) throw new Error('The server did not report');
    return answer;
  }
}

async function nextAnswer(child: ChildProcess): Promise<Answer> {
  const abort = new AbortController();
  try {
    const answer = once(child, 'message', { signal: abort.signal });
    const gone = once(child, 'exit', { signal: abort.signal }).then(([code]) => {
      throw new Error(`The server ended with ${code}`);
    });
    const [message] = await Promise.race([answer, gone]);
    return message as Answer;
  } finally {
    abort.abort();
  }
}
