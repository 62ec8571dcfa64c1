import { z } from 'zod';

interface Registrar {
  registerTool(
    name: string,
    config: { readonly description: string; readonly inputSchema: unknown; readonly outputSchema?: unknown },
    run: (input: never, context: never) => unknown,
  ): unknown;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const said = (text: string) => ({ content: [{ type: 'text', text }] });

/** The same tools with either SDK. */
export function registerTools(server: Registrar): void {
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }: { a: number; b: number }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool('dot', { description: 'A picture', inputSchema: z.object({}) }, () => ({
    content: [
      { type: 'text', text: 'A dot' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  }));
  server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) }, () => ({
    ...said('The disk is full'),
    isError: true,
  }));
  server.registerTool('big', { description: 'Much', inputSchema: z.object({ size: z.number() }) }, ((input: {
    readonly size: number;
  }) => said('x'.repeat(input.size))) as never);
  server.registerTool('die', { description: 'Ends the server', inputSchema: z.object({}) }, () => process.exit(3));
  server.registerTool('pid', { description: 'The process', inputSchema: z.object({}) }, () =>
    said(String(process.pid)),
  );
  // Waits until it is canceled; stderr tells that it was.
  server.registerTool(
    'wait',
    { description: 'Waits', inputSchema: z.object({}) },
    ((
      _: unknown,
      context: {
        readonly signal?: AbortSignal;
        readonly mcpReq?: { readonly signal: AbortSignal };
      },
    ) =>
      new Promise((_resolve, reject) => {
        const signal = context.signal ?? context.mcpReq?.signal;
        signal?.addEventListener('abort', () => reject(new Error('canceled')));
      })) as never,
  );
}
