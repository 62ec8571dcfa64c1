import { complete, defineAgent, type Outcome, reject } from 'parley-a2a';
import type { ObservableLike } from 'parley-a2a/types';

/** Counts down, one number each so many milliseconds; with RxJS: `timer(0, pause).pipe(take(from + 1), map(…))`. */
function countdown(from: number, pause: number): ObservableLike<string | Outcome> {
  return {
    subscribe(observer) {
      let left = from;
      const timer = setInterval(() => {
        if (left > 0) observer.next(`${left} … `);
        else observer.next(complete('Lift-off'));
        left -= 1;
      }, pause);
      return () => clearInterval(timer);
    },
  };
}

/** An agent whose run is an observable. A cancelled task unsubscribes, which stops the timer. */
export const counter = defineAgent({
  name: 'counter',
  description: 'Counts down from a number',
  version: '1.0.0',
  run(task) {
    const from = Number(task.text);
    if (!Number.isInteger(from) || from < 1 || from > 100) throw reject('Send a number from 1 to 100');
    return countdown(from, 5);
  },
});
