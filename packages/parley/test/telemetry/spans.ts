import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { afterAll } from 'vitest';

/** A finished span, as far as tests look at it. */
export interface SeenSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly isError: boolean;
  readonly links: number;
}

const KINDS = ['internal', 'server', 'client', 'producer', 'consumer'];

/** Registers a provider for this file, and collects the spans that end. */
export function collectSpans(): SeenSpan[] {
  const seen: SeenSpan[] = [];
  afterAll(registerProvider(seen));
  return seen;
}

/** Registers a provider that adds the spans that end; returns what takes it away again. */
export function registerProvider(seen: SeenSpan[]): () => Promise<void> {
  const sdk = new NodeSDK({
    autoDetectResources: false,
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) =>
          void seen.push({
            name: span.name,
            kind: KINDS[span.kind] ?? '',
            traceId: span.spanContext().traceId,
            spanId: span.spanContext().spanId,
            parentSpanId: span.parentSpanContext?.spanId,
            attributes: span.attributes,
            events: span.events.map(({ name }) => name),
            isError: span.status.code === 2,
            links: span.links.length,
          }),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  sdk.start();
  return async () => {
    await sdk.shutdown();
    for (const api of [trace, metrics, context, propagation]) api.disable();
  };
}
