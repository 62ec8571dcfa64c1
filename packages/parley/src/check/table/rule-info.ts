import { RULE_LINES } from './rules.ts';

export type Version = '1.0' | '0.3';
export type Binding = 'jsonrpc' | 'rest' | 'grpc';
/** `OURS` are the choices of Parley's own design; they bind nobody else. */
type Level = 'MUST' | 'SHOULD' | 'MAY' | 'OURS';

/** One rule as the reference has it. */
export interface RuleInfo {
  readonly id: string;
  /** The part of the id before the dot, such as `card` or `send`. */
  readonly area: string;
  readonly level: Level;
  readonly versions: readonly Version[];
  /** Empty where the rule holds in every binding. */
  readonly bindings: readonly Binding[];
  /** A page of the reference and the number or beginning of a heading there. */
  readonly section: string;
  readonly text: string;
}

/** Every rule that a server can break, in the order of the reference. */
export const RULE_INFOS: readonly RuleInfo[] = RULE_LINES.split('\n').map(readLine);

function readLine(line: string): RuleInfo {
  const [id = '', level = '', versions = '', bindings = '', section = '', ...text] = line.split(' | ');
  return {
    id,
    area: id.slice(0, id.indexOf('.')),
    level: level as Level,
    versions: versions.split(' ') as Version[],
    bindings: bindings === 'any' ? [] : (bindings.split(' ') as Binding[]),
    section,
    text: text.join(' | '),
  };
}
