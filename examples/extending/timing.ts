import { A2AError, isA2AError, type ServerInterceptor } from 'parley-a2a';

/** Refuses who asks too much, and writes a line for each operation and each run. */
export function timing(write: (line: string) => void, mayCall: (subject: string) => boolean): ServerInterceptor {
  return {
    async operation(call, next) {
      const { operation, agent, dialect, caller } = call;
      if (!mayCall(caller.subject)) throw new A2AError('OVERLOADED', 'Come back later');
      const begun = performance.now();
      const done = (how: string) => write(`${operation} of ${agent} in ${dialect}: ${how} after ${since(begun)} ms`);
      // The response to a stream is over when the stream is, and not when `next` resolves.
      call.onEnd(({ isComplete }) => done(isComplete ? 'complete' : 'left'));
      try {
        return await next();
      } catch (error) {
        write(`${operation} of ${agent}: ${isA2AError(error) ? error.code : 'failed'}`);
        throw error;
      }
    },
    async run(turn, next) {
      const begun = performance.now();
      const { state } = await next();
      write(`run ${turn.attempt} of ${turn.agent}: ${state} after ${since(begun)} ms`);
      return { state };
    },
  };
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
