import type { RpcFrame, RpcPeer } from '../support/rpc.ts';

/** A reader of the bare protocol: each time it asks for what comes after the last frame that it has. */
export class Follower {
  readonly frames: RpcFrame[] = [];

  /** Follows through one life of a server; resolves when that has ended, or the task. */
  async follow(peer: RpcPeer, id: string): Promise<void> {
    const last = this.frames.at(-1)?.id ?? 0;
    try {
      const stream = await peer.open('SubscribeToTask', { id }, { 'last-event-id': String(last) });
      for (let frame = await stream.next(); frame; frame = await stream.next()) this.frames.push(frame);
    } catch (error) {
      // So `fetch` says that the server is gone. A frame that was cut counts for nothing.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
