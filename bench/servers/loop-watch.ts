import { percentiles } from '../load/unary.ts';
import type { WatchedLoop } from './protocol.ts';

/** Milliseconds between two looks; a loop that is busy is looked at once in each turn. */
const INTERVAL = 1;

/** Watches the turns of this process's event loop, by the clock and by the CPU time of the thread. */
export class LoopWatch {
  readonly #turns: number[] = [];
  #delay = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let [time, cpu] = [performance.now(), cpuTime()];
    this.#timer = setInterval(() => {
      const [now, used] = [performance.now(), cpuTime()];
      this.#delay = Math.max(this.#delay, now - time - INTERVAL);
      this.#turns.push(used - cpu);
      [time, cpu] = [now, used];
    }, INTERVAL);
    this.#timer.unref();
  }

  end(): WatchedLoop {
    clearInterval(this.#timer);
    const turn = this.#turns.reduce((longest, one) => Math.max(longest, one), 0);
    return { delay: this.#delay, turn, turnP99: percentiles(this.#turns).p99 };
  }
}

/** That of this thread, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
