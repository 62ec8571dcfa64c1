import type { AgentCard } from '../../model/card.ts';
import type { CardCheck } from './read-card.ts';

/** Finds the members that a card lacks and the addresses that cannot be called. A card without any interface has a fault too. */
export const cardFaults: CardCheck = (published, card) => [
  ...missing(published),
  ...versionComplaints(published),
  ...addressComplaints(card),
];

/** With other names: that of the proto, and that of JAF. */
const REQUIRED: readonly (readonly [name: string, ...others: string[]])[] = [
  ['name', 'name'],
  ['description', 'description'],
  ['version', 'version'],
  ['capabilities', 'capabilities'],
  ['defaultInputModes', 'default_input_modes', 'inputModes'],
  ['defaultOutputModes', 'default_output_modes', 'outputModes'],
  ['skills', 'skills'],
];

function missing(card: Readonly<Record<string, unknown>>): readonly string[] {
  const isMissing = (names: readonly string[]) => names.every((name) => (card[name] ?? undefined) === undefined);
  return REQUIRED.filter(isMissing).map(([name]) => `${name} is missing`);
}

/** Cards of 1.0 have no version of their own: without interfaces that have one they are spoken to in 0.3. */
function versionComplaints(card: Readonly<Record<string, unknown>>): readonly string[] {
  const version = card.protocolVersion;
  if (card.supportedInterfaces !== undefined || card.supported_interfaces !== undefined) return [];
  if (typeof version !== 'string' || /^0\./.test(version)) return [];
  return [
    `protocolVersion ${version.slice(0, 20)} needs supportedInterfaces; without them the card is taken for one of 0.3`,
  ];
}

const HTTP_BINDINGS = ['JSONRPC', 'HTTP+JSON'];

function addressComplaints({ interfaces }: AgentCard): readonly string[] {
  if (interfaces.length === 0) return ['the card names no interface: neither supportedInterfaces nor url'];
  return interfaces.flatMap(({ url, protocolBinding, protocolVersion }) => {
    if (!HTTP_BINDINGS.includes(protocolBinding) || /^https?:\/\//i.test(url)) return [];
    return [
      `the address of ${protocolBinding} ${protocolVersion} is not an absolute http(s) URL: ${url.slice(0, 100)}`,
    ];
  });
}
