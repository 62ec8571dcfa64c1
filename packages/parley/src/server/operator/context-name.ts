/** A context, by whose it is. */
export interface ContextName {
  /** Default: no tenant. */
  readonly tenant?: string | undefined;
  /** The subject that it belongs to. */
  readonly owner: string;
  readonly id: string;
}
