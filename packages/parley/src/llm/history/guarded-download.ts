import type { streamText } from 'ai';
import type { TaskContext } from '../../agent/task-context.ts';
import type { LlmLimits } from '../limits.ts';

type Download = NonNullable<Parameters<typeof streamText>[0]['experimental_download']>;

/** Fetches files at addresses as `task.fetchFile` does: private networks are out of reach, and sizes are bounded. */
export function guardedDownload(task: TaskContext, limits: LlmLimits): Download {
  return (requests) =>
    Promise.all(
      requests.map(async ({ url, isUrlSupportedByModel }) => {
        if (isUrlSupportedByModel) return null;
        const file = await task.fetchFile({ kind: 'link', url: url.href }, { maxBytes: limits.fileBytes });
        return { data: file.bytes, mediaType: file.mediaType };
      }),
    );
}
