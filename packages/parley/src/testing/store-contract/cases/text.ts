import type { MessageEvent, StatusEvent } from '../../../engine/log/events.ts';
import type { Message } from '../../../model/task.ts';
import {
  AGENT,
  ALICE,
  ALL,
  accept,
  append,
  chunkEvent,
  commitOne,
  creation,
  keyRecord,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

/** Text that UTF-8 and many databases cannot hold as it is: halves of a surrogate pair, the wrong way round, and U+0000. */
const ODD = 'é\u0000 \uD800 \uDFFF\uD800 😀';
const DATA = { [ODD]: ODD, nested: { list: [ODD, null] } };

/** Names that are different ones, though one form of Unicode or another, a trimming or a case would make some the same. */
const NAMES = ['a', 'A', 'a ', 'a\u0000', '\u0000', '\u00e9', 'e\u0301', '\uD800', '\uDFFF', '\uFFFD', '😀'];

const said = (role: Message['role']): Message => ({
  messageId: ODD,
  role,
  parts: [
    { kind: 'text', text: ODD, filename: ODD, metadata: DATA },
    { kind: 'data', data: DATA },
  ],
  metadata: DATA,
});

/** Tests that text comes back as it was written, in values and in names that callers choose. */
export function describeText({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('text stays as it is, with halves of surrogate pairs and U+0000,', () => {
    it('in events, as they are read and loaded', async () => {
      const created = creation('task');
      const message: MessageEvent = { ...messageEvent(2), message: said('user') };
      const status: StatusEvent = { ...statusEvent(3, 'working'), metadata: DATA, noted: DATA };
      const asked: StatusEvent = { ...status, status: { ...status.status, message: said('agent') } };
      const chunk = chunkEvent(4, ODD, ODD);
      const artifact = { ...chunk.artifact, name: ODD, description: ODD, metadata: DATA };
      const events = [message, asked, { ...chunk, artifact, metadata: DATA }];
      let head = await accept(bed.store, { ...created, events: [...created.events.slice(0, 1), message] });
      head = await accept(bed.store, append(head, events.slice(1), { head: { openFrom: 4 } }));
      expect(await bed.store.read('task', 1, NO_LIMIT)).toEqual(events);
      expect(await bed.store.load(['task'], ALL)).toEqual([{ head, bodies: [], events }]);
    });

    it('in bodies of artifacts, whose ids stay apart', async () => {
      const head = await accept(bed.store, creation('task'));
      const bodies = NAMES.map((artifactId, position) => ({
        artifact: { artifactId, name: ODD, parts: said('agent').parts, metadata: DATA },
        position,
        seq: 3,
      }));
      await accept(bed.store, append(head, [chunkEvent(3)], { bodies }));
      expect((await bed.store.load(['task'], ALL))[0]?.bodies).toEqual(bodies);
    });

    it('in heads', async () => {
      const created = creation('task', { contextId: ODD });
      const status = { ...created.head.status, message: said('agent') };
      const head = await accept(bed.store, { ...created, head: { ...created.head, metadata: DATA, status } });
      expect(await bed.store.head('task')).toEqual(head);
      expect((await bed.store.list({ agent: AGENT, contextId: ODD, limit: 5 })).heads).toEqual([head]);
    });

    it('in ids of contexts, which stay apart', async () => {
      const scope = { ...ALICE, agent: AGENT };
      for (const [index, contextId] of NAMES.entries()) {
        expect(await bed.store.contextOwner(ALICE, contextId)).toBe(undefined);
        const context = [{ key: ODD, value: contextId, time: 10, lifetime: 50 }];
        await accept(bed.store, { ...creation(`task ${index}`, { contextId }), context });
      }
      for (const [index, contextId] of NAMES.entries()) {
        expect([...(await bed.store.contextState(scope, contextId, 11))]).toEqual([[ODD, contextId]]);
        const { heads, total } = await bed.store.list({ agent: AGENT, owner: ALICE, contextId, limit: 5 });
        expect([heads.map(({ id }) => id), total]).toEqual([[`task ${index}`], 1]);
      }
    });

    it('in names of callers and tenants, which stay apart', async () => {
      const owners = NAMES.flatMap((name) => [
        { tenant: '', subject: name },
        { tenant: name, subject: 'alice' },
      ]);
      for (const [index, owner] of owners.entries()) await accept(bed.store, creation(`task ${index}`, { owner }));
      for (const [index, owner] of owners.entries()) {
        const { heads } = await bed.store.list({ agent: AGENT, owner, limit: 5 });
        expect(heads.map(({ id, owner: found }) => [id, found])).toEqual([[`task ${index}`, owner]]);
      }
    });

    it('in idempotency keys, which stay apart', async () => {
      const keys = NAMES.map((name, messageSeq) => keyRecord(name, { messageSeq, reply: said('agent') }));
      for (const key of keys) expect(await commitOne(bed.store, { kind: 'reply', key })).toBe('ok');
      for (const key of keys) expect(await bed.store.key(key.scope, key.key, 0)).toEqual(key);
    });

    it('in names of those with whom a context is shared, which stay apart', async () => {
      await accept(bed.store, creation('task', { contextId: ODD }));
      expect(await bed.store.shareContext(ALICE, ODD, ['\uD800', 'a\u0000'])).toEqual({ kind: 'shared' });
      for (const subject of NAMES) {
        const isMember = subject === '\uD800' || subject === 'a\u0000';
        const shared = isMember ? [{ owner: ALICE, contextId: ODD }] : [];
        expect(await bed.store.sharedContexts({ tenant: '', subject }, 10)).toEqual(shared);
      }
    });

    it('in kept values', async () => {
      await bed.store.keepValue('name', ODD);
      expect(await bed.store.keptValue('name')).toBe(ODD);
    });
  });
}
