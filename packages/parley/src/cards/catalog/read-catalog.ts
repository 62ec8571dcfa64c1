import { isPlainObject } from '../../model/basics/json.ts';
import { AGENT_CARD_TYPE, type CatalogEntry } from '../../model/catalog.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';

/** An agent that a host lists. */
export interface ListedAgent extends CatalogEntry {
  /** The card is on another origin than the catalog: nothing that was entrusted to the host goes there. */
  readonly isElsewhere: boolean;
}

/** The agents of a host. */
export interface AgentList {
  readonly agents: readonly ListedAgent[];
  /** The number of entries that are no agents of A2A, such as servers of tools. */
  readonly others: number;
  /** Faults of the catalog, in sentences; entries that cannot be used are left out. */
  readonly problems: readonly string[];
}

/** The most entries that are read; further ones are left out, and a problem says so. */
const MOST_ENTRIES = 1_000;
/** Longer texts of an entry are cut, and longer addresses left out. */
const LONGEST_TEXT = 2_000;
const MOST_TAGS = 100;

/** Reads a catalog. Throws INVALID_RESPONSE for other values. */
export function readCatalog(document: unknown, catalogUrl: string): AgentList {
  const entries = isPlainObject(document) ? document.entries : undefined;
  if (!Array.isArray(entries))
    throw new A2AError('INVALID_RESPONSE', 'What was received is not a catalog: it has no entries');
  const problems: string[] = [];
  const agents: ListedAgent[] = [];
  let others = 0;
  const seen = new Set<string>();
  for (const [index, entry] of entries.slice(0, MOST_ENTRIES).entries()) {
    const agent = readEntry(entry, catalogUrl);
    if (agent === undefined) others += 1;
    else if (typeof agent === 'string') problems.push(`entry ${index + 1} ${agent}`);
    else if (seen.has(agent.identifier)) problems.push(`entry ${index + 1} repeats ${quoted(agent.identifier)}`);
    else {
      seen.add(agent.identifier);
      agents.push(agent);
    }
  }
  if (entries.length > MOST_ENTRIES)
    problems.push(`there are ${entries.length} entries, of which ${MOST_ENTRIES} are read`);
  return { agents, others, problems };
}

/** Undefined for what is no agent of A2A; a sentence for what cannot be used. */
function readEntry(entry: unknown, catalogUrl: string): ListedAgent | string | undefined {
  if (!isPlainObject(entry)) return 'is not an object';
  const { mediaType = AGENT_CARD_TYPE, url } = entry;
  if (typeof mediaType !== 'string' || mediaType.split(';')[0]?.trim().toLowerCase() !== AGENT_CARD_TYPE)
    return undefined;
  const address = addressOf(url, catalogUrl);
  if (!address) return 'has no http(s) address of a card (url)';
  const identifier = textOf(entry.identifier);
  if (identifier === undefined) return 'has no identifier';
  const [description, version, updatedAt] = [textOf(entry.description), textOf(entry.version), textOf(entry.updatedAt)];
  const tags = Array.isArray(entry.tags) ? entry.tags.slice(0, MOST_TAGS).flatMap((tag) => textOf(tag) ?? []) : [];
  return {
    identifier,
    displayName: textOf(entry.displayName) ?? identifier,
    mediaType,
    url: address.href,
    isElsewhere: address.origin !== new URL(catalogUrl).origin,
    ...(description !== undefined && { description }),
    ...(tags.length > 0 && { tags }),
    ...(version !== undefined && { version }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}

function addressOf(url: unknown, catalogUrl: string): URL | undefined {
  if (typeof url !== 'string' || url.length > LONGEST_TEXT || !URL.canParse(url, catalogUrl)) return undefined;
  const address = new URL(url, catalogUrl);
  const isPlain = address.username === '' && address.password === '';
  return /^https?:$/.test(address.protocol) && isPlain ? address : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_TEXT) : undefined;
}
