/**
 * A request to an outside agent. The response has the status 200 and the type `application/octet-stream` whatever the agent sent,
 * and in headers, each as JSON in base64url: `x-relay-request` is a RelayedRequest, `x-relay-response` a RelayedResponse. Its body
 * is that of the agent, as it comes. A response without them is a refusal of the relay itself.
 */
export interface RelayRequest {
  readonly url: string;
  /** Default `GET`. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** The request as the outside agent got it. */
export interface RelayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface RelayedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}
