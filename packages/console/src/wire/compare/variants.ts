/** A way to say the same: a protocol over a binding. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  readonly protocol: string;
  readonly binding?: 'JSONRPC' | 'HTTP+JSON' | undefined;
}

export const VARIANTS: readonly Variant[] = [
  { id: '1.0-jsonrpc', label: '1.0 over JSON-RPC', protocol: '1.0', binding: 'JSONRPC' },
  { id: '1.0-rest', label: '1.0 over HTTP+JSON', protocol: '1.0', binding: 'HTTP+JSON' },
  { id: '0.3-jsonrpc', label: '0.3 over JSON-RPC', protocol: '0.3', binding: 'JSONRPC' },
  { id: '0.3-rest', label: '0.3 over HTTP+JSON', protocol: '0.3', binding: 'HTTP+JSON' },
  { id: 'v1_draft', label: 'Draft of 1.0', protocol: 'v1_draft' },
  { id: 'jaf', label: 'JAF', protocol: 'jaf' },
  { id: 'cogitator', label: 'Cogitator', protocol: 'cogitator' },
  { id: 'rxjs', label: 'RxJS', protocol: 'rxjs' },
  { id: 'banterop', label: 'Banterop', protocol: 'banterop' },
];

/** Those that most agents speak. */
export const USUAL_VARIANTS: readonly string[] = ['1.0-jsonrpc', '1.0-rest', '0.3-jsonrpc'];
