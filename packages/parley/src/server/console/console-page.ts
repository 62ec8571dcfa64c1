import { type ExchangeRequest, type ExchangeResponse, header } from '../../bindings/exchange.ts';
import type { Logger } from '../../engine/ports.ts';
import { plainText } from '../http/responses.ts';
import { BytesBody } from './bytes-body.ts';
import type { Bundle, Encoding } from './node/bundle.ts';
import { cachingOf, PAGE_HEADERS, typeOf } from './page-headers.ts';

const SHELL = 'index.html';

interface ConsolePageOptions {
  /** Below which operations and the operators' routes are; the page is told. */
  readonly basePath: string;
  readonly log: Logger;
  /** Finds the files of the console. Default: those of this package. */
  readonly openBundle?: (() => Promise<Bundle>) | undefined;
}

/** Serves the files of the console. They tell nothing of the server and are for everybody; what the page reads is for operators. */
export class ConsolePage {
  readonly #options: ConsolePageOptions;
  #bundle: Promise<Bundle> | undefined;

  constructor(options: ConsolePageOptions) {
    this.#options = options;
  }

  /** `path`: below that of the console, without a slash at its beginning. */
  async respond(request: ExchangeRequest, path: string): Promise<ExchangeResponse> {
    if (request.prefix)
      return this.#refuse(404, `The console is served at the root of a host, not below ${request.prefix}`);
    let bundle: Bundle;
    try {
      bundle = await this.#open();
    } catch (error) {
      this.#options.log.error('The console cannot be served', { error });
      return this.#refuse(503, error instanceof Error ? error.message : String(error));
    }
    if (path !== '' && bundle.has(path)) return this.#file(request, bundle, path);
    if (path.startsWith('assets/')) return this.#refuse(404, 'The console has no such file');
    // Every other address is one of a page, which the page itself knows.
    return this.#file(request, bundle, SHELL);
  }

  #open(): Promise<Bundle> {
    this.#bundle ??= (this.#options.openBundle ?? openOwn)().then(
      (bundle) => bundle.with(SHELL, (html) => withBase(html, this.#options.basePath)),
      (error: unknown) => {
        // The next call tries again.
        this.#bundle = undefined;
        throw error;
      },
    );
    return this.#bundle;
  }

  async #file(request: ExchangeRequest, bundle: Bundle, path: string): Promise<ExchangeResponse> {
    const encoding = encodingOf(header(request.headers, 'accept-encoding'));
    const { bytes, etag, encoding: used } = await bundle.file(path, encoding);
    const headers = { ...PAGE_HEADERS, 'cache-control': cachingOf(path), etag, vary: 'accept-encoding' };
    if (isKnown(header(request.headers, 'if-none-match'), etag)) return { status: 304, headers, body: undefined };
    return {
      status: 200,
      headers: {
        ...headers,
        'content-type': typeOf(path),
        'content-length': String(bytes.length),
        ...(used && { 'content-encoding': used }),
      },
      body: new BytesBody(bytes),
    };
  }

  #refuse(status: number, text: string): ExchangeResponse {
    const response = plainText(status, `${text}\n`);
    return { ...response, headers: { ...response.headers, ...PAGE_HEADERS, 'cache-control': 'no-store' } };
  }
}

async function openOwn(): Promise<Bundle> {
  const { openBundle } = await import('./node/bundle.ts');
  return openBundle();
}

/** The page looks for the server's routes there, where they are not at the usual place. */
function withBase(html: string, basePath: string): string {
  const content = basePath.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return html.replace('<head>', () => `<head>\n    <meta name="parley-base" content="${content}" />`);
}

function encodingOf(accepted: string | undefined): Encoding | undefined {
  const taken = new Map<string, boolean>();
  for (const one of accepted?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    taken.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  return (['br', 'gzip'] as const).find((name) => taken.get(name));
}

function isKnown(given: string | undefined, etag: string): boolean {
  return given?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*') === true;
}
