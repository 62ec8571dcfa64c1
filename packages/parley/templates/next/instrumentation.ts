/**
 * Next calls this once, when it starts, so that what the last process left is taken up at once. A failure that it throws
 * would only be logged, and every page would fail: where the store cannot be had, the process ends.
 */
export async function register(): Promise<void> {
  // In this form Next sees that the rest is not for its edge runtime, for which it compiles this file too.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { server } = await import('./a2a.ts');
    await server.open().catch((error: Error) => {
      console.error(error.message);
      process.exit(1);
    });
  }
}
