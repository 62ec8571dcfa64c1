/** The package of OpenTelemetry that programs register their providers with. */
export type OpenTelemetry = typeof import('@opentelemetry/api');

/** The place where `@opentelemetry/api` 1.x keeps what a program has registered; the package gives it no other name. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** The kinds of providers that a program can register. */
interface Registered {
  readonly trace?: unknown;
  readonly metrics?: unknown;
}

/** The provider that the program has registered by now; nothing is loaded to find out. */
export function registeredProviders(): Registered {
  return (globalThis as { readonly [REGISTERED]?: Registered })[REGISTERED] ?? {};
}

/** Bundlers leave it as it is: it is loaded only where a provider is registered, by a program that has the package. */
export async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ '@opentelemetry/api');
  } catch (cause) {
    throw new Error(
      'OpenTelemetry is registered, but parley-a2a cannot load @opentelemetry/api: install it beside parley-a2a (^1.9.0)',
      { cause },
    );
  }
}
