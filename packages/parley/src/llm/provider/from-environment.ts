import type { LanguageModel } from 'ai';
import { withBoundedMessages } from '../../bindings/http/bounded-messages.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: 'v4' };

const OPENAI = 'https://api.openai.com/v1';

/** Bytes of one event of a response, or of a response that is no stream; larger than any file that a model makes. */
const MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The model that the environment names: `PARLEY_MODEL` at `OPENAI_BASE_URL`, any server that speaks OpenAI's protocol, with
 * the key `OPENAI_API_KEY`. Without an address it is OpenAI itself. Throws where the environment names none.
 */
export function modelFromEnvironment(environment: Environment = ownEnvironment()): LanguageModel {
  const modelId = environment.PARLEY_MODEL?.trim();
  const baseURL = environment.OPENAI_BASE_URL?.trim() || OPENAI;
  const apiKey = environment.OPENAI_API_KEY?.trim() || undefined;
  if (!modelId) {
    throw new TypeError('There is no language model: hand one in as `model`, or name one in PARLEY_MODEL');
  }
  if (!/^https?:$/.test(protocolOf(baseURL))) {
    throw new TypeError('OPENAI_BASE_URL must be the address of a server, such as http://127.0.0.1:11434/v1');
  }
  if (baseURL === OPENAI && !apiKey) {
    throw new TypeError('OPENAI_API_KEY is missing; for a server without keys, set OPENAI_BASE_URL to its address');
  }
  return lazyModel(modelId, () => loadModel(modelId, baseURL, apiKey));
}

/** A model whose package is loaded with its first use. */
function lazyModel(modelId: string, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  };
}

async function loadModel(modelId: string, baseURL: string, apiKey: string | undefined): Promise<Model> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible').catch((cause: unknown) => {
    throw new Error('PARLEY_MODEL needs a package: npm install @ai-sdk/openai-compatible@3', { cause });
  });
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    ...(apiKey !== undefined && { apiKey }),
    fetch: withBoundedMessages((input, init) => fetch(input, init), MESSAGE_BYTES),
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return provider(modelId);
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

function ownEnvironment(): Environment {
  const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
  return process?.env ?? {};
}
