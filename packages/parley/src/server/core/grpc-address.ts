/** The address of gRPC on cards (reference: v1-bindings §7): known once the port is open. */
export class GrpcAddress {
  readonly #named: string | undefined;
  #port: number | undefined;

  /** `named`: the setting, for a server behind a proxy. */
  constructor(named: string | undefined) {
    this.#named = named;
  }

  get port(): number | undefined {
    return this.#port;
  }

  opened(port: number | undefined): void {
    this.#port = port;
  }

  /** The host of `base`, which is the server's address as its client uses it, with the port of gRPC. Undefined if there is none. */
  at(base: string): string | undefined {
    if (this.#port === undefined) return undefined;
    return this.#named ?? `${URL.parse(base)?.hostname ?? 'localhost'}:${this.#port}`;
  }
}
