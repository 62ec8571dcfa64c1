import { tool } from 'ai';
import { z } from 'zod';

/** A tool is a description for the model, a shape for its arguments, and a function. */
export const clock = tool({
  description: 'The present date and time in a time zone, such as Europe/Berlin',
  inputSchema: z.object({ timeZone: z.string() }),
  execute: async ({ timeZone }) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(),
});
