import { A2AClient, isTask, textOf } from 'parley-a2a/client';
import type { WireExchange } from '../record/exchange.ts';
import { wireLog } from '../record/wire.ts';
import { wiredOptions } from '../record/wired-options.ts';
import { pretty } from '../traffic/describe-exchange.ts';
import type { Variant } from './variants.ts';

/** What came of a message in one variant. */
export interface VariantResult {
  readonly variant: Variant;
  readonly state?: string | undefined;
  readonly text?: string | undefined;
  readonly error?: unknown;
  /** The request and the response as they were sent; undefined where the client sent none. */
  readonly sent?: string | undefined;
  readonly received?: string | undefined;
}

const TIMEOUT_MS = 60_000;

/** Sends a message in one variant; never rejects. */
export async function runVariant(
  url: string,
  variant: Variant,
  message: string,
  streams: boolean,
  signal: AbortSignal,
): Promise<VariantResult> {
  const { protocol, binding } = variant;
  const options = wiredOptions(url, { protocol, prefer: { binding } });
  const client = new A2AClient(url, { ...options, retry: false, reconnect: false, timeout: TIMEOUT_MS });
  const last = wireLog.exchanges().at(-1)?.id ?? 0;
  const exchange = () =>
    wireLog
      .exchanges()
      .find(({ id, target, call }) => id > last && call && target?.protocol === protocol && target.binding === binding);
  try {
    const result = await (streams
      ? client.sendMessageStream(message, { signal }).result
      : client.sendMessage(message, { signal }));
    const state = isTask(result) ? result.status.state : 'message';
    return { variant, state, text: textOf(result), ...wireOf(exchange()) };
  } catch (error) {
    return { variant, error, ...wireOf(exchange()) };
  }
}

function wireOf(exchange: WireExchange | undefined): Pick<VariantResult, 'sent' | 'received'> {
  if (!exchange) return {};
  const { request, isStream, frames, body } = exchange;
  const received = isStream ? frames.map(({ text }) => prettyFrame(text)).join('') : pretty(body);
  return { sent: `${request.method} ${new URL(request.url).pathname}\n${pretty(request.body ?? '')}`, received };
}

function prettyFrame(text: string): string {
  return text.replace(/^data: ?(.*)$/gm, (_, data: string) => `data: ${pretty(data)}`);
}
