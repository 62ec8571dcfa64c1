import type { LanguageModel } from 'ai';

/** A language model as version 7 of the AI SDK specifies it. The types come from `ai` alone, which is all that users install. */
export type A2ALanguageModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;

export type ModelCall = Parameters<A2ALanguageModel['doGenerate']>[0];
export type Prompt = ModelCall['prompt'];
export type PromptMessage = Prompt[number];

export type GenerateResult = Awaited<ReturnType<A2ALanguageModel['doGenerate']>>;
export type ModelContent = GenerateResult['content'][number];
export type ModelUsage = GenerateResult['usage'];
export type FinishReason = GenerateResult['finishReason'];
export type Warning = GenerateResult['warnings'][number];

type StreamResult = Awaited<ReturnType<A2ALanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Piece> ? Piece : never;

/** The key of `providerOptions` and `providerMetadata`, and the name of the provider. */
export const PROVIDER = 'a2a';
