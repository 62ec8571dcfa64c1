import { describe, expect, it } from 'vitest';
import { IS_FULL } from '../support/full.ts';
import { brokenServer } from './support/broken-server.ts';
import { checked, idsWith } from './support/checked.ts';
import { CARD_DEFECTS, LIST_DEFECTS, OPERATION_DEFECTS, STREAM_DEFECTS } from './support/defects.ts';
import { WIRE_DEFECTS } from './support/wire-defects.ts';

const ALL_DEFECTS = [...CARD_DEFECTS, ...OPERATION_DEFECTS, ...LIST_DEFECTS, ...STREAM_DEFECTS, ...WIRE_DEFECTS];
/** Each takes a whole check: on every change every second one is tried, in a full run all of them. */
const DEFECTS = ALL_DEFECTS.filter((_, index) => IS_FULL || index % 2 === 0);

describe('parley check on a server that', () => {
  it('has no defect finds none', async () => {
    const url = await brokenServer({});
    for (const [protocol, binding] of [
      ['1.0', 'jsonrpc'],
      ['1.0', 'rest'],
      ['0.3', 'jsonrpc'],
    ] as const) {
      const { results, code } = await checked(url, '--protocol', protocol, '--binding', binding);
      expect(idsWith(results, 'FAIL', 'WARN')).toEqual([]);
      expect(code).toBe(0);
    }
  });

  it.each(DEFECTS)('$name finds $rule', async ({
    rule,
    also = [],
    at = ['1.0', 'jsonrpc'],
    name: _name,
    ...defect
  }) => {
    const url = await brokenServer(defect);
    const { results } = await checked(url, '--protocol', at[0], '--binding', at[1], '--timeout', '60');
    const broken = idsWith(results, 'FAIL', 'WARN');
    expect(broken).toContain(rule);
    expect(broken.filter((id) => id !== rule && !also.includes(id))).toEqual([]);
    const evidence = results.find(({ id }) => id === rule)?.outcomes.flatMap((outcome) => outcome.evidence) ?? [];
    expect(evidence.length).toBeGreaterThan(0);
  });
});
