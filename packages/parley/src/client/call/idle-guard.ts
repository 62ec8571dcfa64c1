import { A2AError } from '../../model/errors/errors.ts';
import type { Timing } from './timing.ts';

/**
 * The same response, whose body fails once nothing at all, not even a keep-alive, has come for that time while somebody
 * waited for it.
 */
export function withIdleLimit(response: Response, milliseconds: number, timing: Timing): Response {
  const { body } = response;
  if (!body || !(milliseconds > 0)) return response;
  const reader = body.getReader();
  const guarded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const stop = timing.after(milliseconds, () => {
          controller.error(new A2AError('TIMEOUT', `The stream was silent for ${milliseconds} ms`));
          reader.cancel().catch(() => {});
        });
        try {
          const step = await reader.read();
          if (step.done) controller.close();
          else controller.enqueue(step.value);
        } finally {
          stop();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(guarded, response);
}
