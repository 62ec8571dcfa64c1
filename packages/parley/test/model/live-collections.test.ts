import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListMember, LiveList } from '../../src/model/basics/live-list.ts';
import { LiveMap } from '../../src/model/basics/live-map.ts';

const change = fc.record({ kind: fc.constantFrom('set', 'set', 'delete'), key: fc.nat(60).map(String) });

describe('LiveMap', () => {
  it('reads like a Map after any changes', () => {
    fc.assert(
      fc.property(fc.array(change, { size: '+2' }), (changes) => {
        const live = new LiveMap<{ readonly step: number }>();
        const model = new Map<string, { readonly step: number }>();
        for (const [step, { kind, key }] of changes.entries()) {
          if (kind === 'delete') expect(live.delete(key)).toBe(model.delete(key));
          else {
            live.set(key, { step });
            model.set(key, { step });
          }
          expect(live.size).toBe(model.size);
          expect(live.get(key)).toEqual(model.get(key));
          expect(live.has(key)).toBe(model.has(key));
        }
        expect([...live.values()]).toEqual([...model.values()]);
      }),
    );
  });

  it('leaves out what is deleted while it is read', () => {
    const live = new LiveMap<{ readonly name: string }>();
    for (const name of ['a', 'b', 'c']) live.set(name, { name });
    const read: string[] = [];
    for (const { name } of live.values()) {
      read.push(name);
      live.delete('b');
    }
    expect(read).toEqual(['a', 'c']);
  });

  it('keeps nothing of what has gone: requests that come and go leave the old generation as it was', () => {
    // A Map beside it shows that the measure tells the two apart.
    const [live, usual] = [oldBytesAfter('live'), oldBytesAfter('usual')];
    expect(live).toBeLessThan(8e6);
    expect(usual).toBeGreaterThan(live * 4);
  });
});

describe('LiveList', () => {
  it('has the oldest first after any changes', () => {
    const numbers = fc.array(fc.record({ adds: fc.boolean(), index: fc.nat(20) }), { size: '+1' });
    fc.assert(
      fc.property(numbers, (changes) => {
        const members = Array.from({ length: 21 }, () => new ListMember());
        const list = new LiveList<ListMember>();
        const model = new Set<ListMember>();
        for (const { adds, index } of changes) {
          const member = members[index] as ListMember;
          if (adds) {
            list.add(member);
            model.add(member);
          } else {
            list.delete(member);
            model.delete(member);
          }
          expect(list.oldest).toBe([...model][0]);
          expect(member.isListed).toBe(adds);
        }
        for (const member of model) {
          expect(list.oldest).toBe(member);
          list.delete(member);
        }
        expect(list.oldest).toBeUndefined();
      }),
    );
  });
});

/** Bytes by which the old generation of a process has grown once 64,000 entries of a kilobyte came and went, 64 at a time. */
function oldBytesAfter(kind: 'live' | 'usual'): number {
  const script = `
    const { getHeapSpaceStatistics } = await import('node:v8');
    const { LiveMap } = await import(${JSON.stringify(new URL('../../src/model/basics/live-map.ts', import.meta.url).href)});
    const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
    const entries = ${kind === 'live' ? 'new LiveMap()' : 'new Map()'};
    gc();
    const before = old();
    for (let turn = 0; turn < 1000; turn += 1) {
      for (let index = 0; index < 64; index += 1) entries.set('task ' + (turn * 64 + index), { held: new Array(128).fill(turn) });
      if (turn % 10 === 0) gc({ type: 'minor' });
      for (let index = 0; index < 64; index += 1) entries.delete('task ' + (turn * 64 + index));
    }
    console.log(old() - before);`;
  const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
}
