import type { Exchange, Incoming } from './exchange.ts';

/** Headers that say nothing about a rule. */
const DULL: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
/** Headers whose values are not shown whatever they are. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'set-cookie',
]);

/** A request or a response, of which a part is shown. */
interface Shown {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** An exchange as it may be shown: bounded and without secrets. */
interface ShownExchange {
  readonly request: Shown & { readonly method: string; readonly url: string };
  /** Undefined where no response came. */
  readonly response?: (Shown & { readonly status: number; readonly grpc?: number | undefined }) | undefined;
  /** Why there is no response, or only a part of it. */
  readonly trouble?: string | undefined;
}

export interface ShownBounds {
  readonly headers: number;
  /** Characters of one header, with its name. */
  readonly headerText: number;
  /** Characters of the address, and of the body. */
  readonly text: number;
}

/** `clean` takes out what must not be shown. */
export function shownExchange(
  { sent, got, trouble }: Exchange,
  bounds: ShownBounds,
  clean: (text: string) => string,
): ShownExchange {
  const show = (text: string) => shortened(clean(text), bounds.text);
  const headersOf = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .filter(([name]) => !DULL.has(name.toLowerCase()))
      .slice(0, bounds.headers)
      .map(([name, value]) => {
        const room = Math.max(0, bounds.headerText - name.length);
        return [clean(name), SECRET.has(name.toLowerCase()) ? '***' : shortened(clean(value), room)] as const;
      });
  const bodyOf = (text: string | undefined) => (text ? { body: show(text) } : {});
  return {
    request: { method: sent.method, url: show(sent.url), headers: headersOf(sent.headers), ...bodyOf(sent.body) },
    ...(got && {
      response: { status: got.status, ...grpcOf(got), headers: headersOf(got.headers), ...bodyOf(got.text) },
    }),
    ...(trouble && { trouble: show(trouble) }),
  };
}

/** The number of the status of gRPC, where the call went over that. */
function grpcOf({ grpc }: Incoming): { readonly grpc?: number } {
  return grpc === undefined ? {} : { grpc };
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
