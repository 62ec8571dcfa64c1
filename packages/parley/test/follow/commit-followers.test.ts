import { expect, it } from 'vitest';
import { CommitFollowers } from '../../src/engine/follow/commit-followers.ts';
import type { CommitEntry } from '../../src/engine/ports.ts';
import { creation } from '../stores/fixtures.ts';

const SILENT = { error: () => {}, warn: () => {} };

it('does not even look at commits that nothing follows', () => {
  const entries = new Proxy<CommitEntry[]>([], {
    get: () => expect.unreachable(),
  });
  const followers = new CommitFollowers(SILENT);
  followers.tell(entries, []);
  const end = followers.add(() => {});
  end();
  followers.tell(entries, []);
});

it('tells every follower of what was accepted, whatever another one does', () => {
  const followers = new CommitFollowers(SILENT);
  const told: string[][] = [];
  followers.add(() => {
    throw new Error('broken');
  });
  followers.add((commits) => void told.push(commits.map(({ head }) => head.id)));
  const [one, two, three] = ['one', 'two', 'three'].map((id) => creation(id));
  if (!one || !two || !three) throw new Error('There are three');
  followers.tell([one, two, three], ['ok', 'conflict', 'ok']);
  followers.tell([two], ['conflict']);
  expect(told).toEqual([['one', 'three']]);
});
