import type { Attributes } from '@opentelemetry/api';
import { currentTrace, type ProtocolCall, type SpanProtocolCall } from '../../../bindings/http/current-trace.ts';
import { ATTRIBUTE, INSTRUMENTATION, OPERATION, SPAN, TOOL_ERROR } from '../names.ts';
import type { OpenTelemetry } from '../open-telemetry.ts';
import { addressAttributes } from './attributes.ts';
import type { SpanContexts } from './span-context.ts';

/** Spans around calls of tools of MCP servers; the server gets the span's trace. */
export function protocolCallSpans(api: OpenTelemetry, contexts: SpanContexts): SpanProtocolCall {
  const tracer = api.trace.getTracer(INSTRUMENTATION);
  return async (call, work) => {
    const before = currentTrace();
    const parent = contexts.nearestOf(before);
    const options = { kind: api.SpanKind.CLIENT, attributes: attributesOf(call) };
    const span = tracer.startSpan(SPAN.mcp(call.method, call.tool), options, parent);
    try {
      return await api.context.with(api.trace.setSpan(parent, span), () => work(contexts.continued(before, span)));
    } catch (error) {
      span.setAttribute(ATTRIBUTE.error, call.isToolError(error) ? TOOL_ERROR : nameOf(error));
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
}

function attributesOf({ method, tool, address }: ProtocolCall): Attributes {
  return {
    [ATTRIBUTE.mcpMethod]: method,
    [ATTRIBUTE.operation]: OPERATION.executeTool,
    [ATTRIBUTE.toolName]: tool,
    ...(address === undefined ? { [ATTRIBUTE.transport]: 'pipe' } : addressAttributes(address)),
  };
}

/** The kind of an error, and never its text. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
