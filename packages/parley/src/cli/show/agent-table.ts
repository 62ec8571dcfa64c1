import type { ListedAgent } from '../../cards/catalog/read-catalog.ts';
import { cleanLine } from '../text/clean.ts';
import type { Style } from '../text/style.ts';
import { padded, truncated, widthOf } from '../text/width.ts';

const GAP = '  ';
const WIDEST_NAME = 30;
/** A description that is shorter than this says nothing. */
const LEAST_DESCRIPTION = 16;

/** Agents in columns that fit; addresses are whole, because one wants to copy them. All of it comes from a remote host. */
export function agentTable(agents: readonly ListedAgent[], style: Style, columns: number): readonly string[] {
  const rows = agents.map(({ displayName, version = '', url, isElsewhere, description = '' }) => ({
    name: truncated(cleanLine(displayName), WIDEST_NAME),
    version: truncated(cleanLine(version), WIDEST_NAME),
    card: cleanLine(url) + (isElsewhere ? ' (another origin)' : ''),
    description: cleanLine(description),
  }));
  const header = { name: 'AGENT', version: 'VERSION', card: 'CARD', description: 'ABOUT' };
  const widthsOf = (name: keyof typeof header) => Math.max(...[header, ...rows].map((row) => widthOf(row[name])));
  const widths = { name: widthsOf('name'), version: widthsOf('version'), card: widthsOf('card') };
  const room = columns - widths.name - widths.version - widths.card - 3 * GAP.length;
  const write = (row: typeof header) => {
    const cells = [padded(row.name, widths.name), padded(row.version, widths.version), padded(row.card, widths.card)];
    return [...cells, ...(room >= LEAST_DESCRIPTION ? [truncated(row.description, room)] : [])].join(GAP).trimEnd();
  };
  return [style.apply(write(header), 'dim'), ...rows.map(write)];
}
