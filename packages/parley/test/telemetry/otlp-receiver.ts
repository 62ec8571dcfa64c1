import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Wire } from '../support/rpc.ts';

/** A span as OTLP has it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly service: string | undefined;
}

/** A receiver of OTLP over HTTP, in JSON. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: ReadonlySet<string>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: Wire = JSON.parse(Buffer.concat(chunks).toString());
      if (request.url === '/v1/traces') spans.push(...spansOf(body));
      if (request.url === '/v1/metrics') for (const name of metricNamesOf(body)) metrics.add(name);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics };
}

function spansOf(body: Wire): ReceivedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: Wire) => {
    const service = resource.attributes.find(({ key }: Wire) => key === 'service.name')?.value.stringValue;
    return scopeSpans.flatMap(({ spans }: Wire) => spans.map((span: Wire) => ({ ...span, service })));
  });
}

function metricNamesOf(body: Wire): string[] {
  return body.resourceMetrics.flatMap(({ scopeMetrics }: Wire) =>
    scopeMetrics.flatMap(({ metrics }: Wire) => metrics.map(({ name }: Wire) => name)),
  );
}
