/** One agent of a host, as its catalog lists it. */
export interface CatalogEntry {
  /** Unique in the catalog, and stable. */
  readonly identifier: string;
  readonly displayName: string;
  readonly mediaType: string;
  /** The address of the agent's card. */
  readonly url: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly version?: string | undefined;
  /** ISO 8601. */
  readonly updatedAt?: string | undefined;
}

/** The media type of a catalog, and that of the cards in it. */
export const CATALOG_TYPE = 'application/ai-catalog+json';
export const AGENT_CARD_TYPE = 'application/a2a-agent-card+json';
