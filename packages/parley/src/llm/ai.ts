export type Ai = typeof import('ai');

let loading: Promise<Ai> | undefined;

/** Loads the AI SDK, which only programs with language models install. */
export function loadAi(): Promise<Ai> {
  loading ??= import('ai').catch((cause: unknown) => {
    loading = undefined;
    throw new Error('parley-a2a/llm needs the AI SDK: npm install ai@7', { cause });
  });
  return loading;
}
