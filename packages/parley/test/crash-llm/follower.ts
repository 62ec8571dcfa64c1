import { setTimeout as pause } from 'node:timers/promises';
import type { RpcFrame, RpcPeer } from '../support/rpc.ts';

const ENDS = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED'];

/** A reader of the bare protocol: each time it asks for what comes after the last frame that it has. */
export class Follower {
  readonly frames: RpcFrame[] = [];
  #isOver = false;

  /** Follows through one life of a server; resolves when that has ended, or the task. */
  async follow(peer: RpcPeer, id: string): Promise<void> {
    try {
      // A stream also ends where the task asks its caller.
      for (; !this.#isOver; await pause(10)) await this.#read(peer, id);
    } catch (error) {
      // So `fetch` says that the server is gone. A frame that was cut counts for nothing.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async #read(peer: RpcPeer, id: string): Promise<void> {
    const last = this.frames.at(-1)?.id ?? 0;
    const stream = await peer.open('SubscribeToTask', { id }, { 'last-event-id': String(last) });
    for (let frame = await stream.next(); frame; frame = await stream.next()) {
      this.frames.push(frame);
      this.#isOver = ENDS.includes(frame.result.statusUpdate?.status.state);
    }
  }
}
