import type { BrowserContext } from 'playwright-core';

/** Collects what a page must not do: script errors, violations of its CSP, and requests to other origins, which get no response. */
export class PageWatch {
  readonly #origin: string;
  readonly #expected: readonly string[];
  readonly #visited: readonly string[];
  readonly #problems: string[] = [];

  /** `visited`: origins that a person goes to in windows of their own; the page itself must not reach them either. */
  constructor(origin: string, expected: readonly string[], visited: readonly string[] = []) {
    this.#origin = origin;
    this.#expected = expected;
    this.#visited = visited;
  }

  async follow(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#note(`error: ${error.error().stack ?? error.error().message}`));
    await context.exposeBinding('__noteViolation', (_, text: string) => this.#note(`CSP: ${text}`));
    await context.addInitScript(reportViolations);
    await context.route(
      (url) => this.#isOutside(url),
      async (route) => {
        const request = route.request();
        const isVisit = request.isNavigationRequest() && this.#visited.includes(new URL(request.url()).origin);
        if (isVisit) return route.continue();
        this.#note(`request to another origin: ${request.url()}`);
        await route.abort('blockedbyclient');
      },
    );
  }

  /** What was seen so far, without what the test expects. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  assertQuiet(): void {
    if (this.#problems.length > 0) throw new Error(`The page misbehaved:\n${this.#problems.join('\n')}`);
  }

  /** `data:` and `blob:` stay inside of the page. */
  #isOutside({ protocol, origin }: URL): boolean {
    return protocol !== 'data:' && protocol !== 'blob:' && origin !== this.#origin;
  }

  #note(problem: string): void {
    if (!this.#expected.some((part) => problem.includes(part))) this.#problems.push(problem);
  }
}

/** Runs in the page before its scripts do. */
function reportViolations(): void {
  const page = globalThis as unknown as EventTarget & { __noteViolation(text: string): Promise<void> };
  page.addEventListener('securitypolicyviolation', (event) => {
    const { violatedDirective, blockedURI } = event as Event & { violatedDirective: string; blockedURI: string };
    void page.__noteViolation(`${violatedDirective} refused ${blockedURI}`);
  });
}
