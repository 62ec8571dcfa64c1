/** Who may see what the user entrusted to the client: the card's own origin, and those that were allowed. */
export class TrustedOrigins {
  readonly #origins: Set<string>;

  constructor(allowed: readonly string[]) {
    this.#origins = new Set(allowed.map((origin) => new URL(origin).origin));
  }

  /** The origin that the user named, or that the card came from. */
  add(url: string | URL): void {
    this.#origins.add(new URL(url).origin);
  }

  has(url: string | URL): boolean {
    return this.#origins.has(new URL(url).origin);
  }
}
