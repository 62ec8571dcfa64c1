import { expect, it } from 'vitest';
import { matrix } from '../interop/support/rows.ts';
import { connect } from '../interop/support/sdk.ts';
import { eventually } from '../support/eventually.ts';
import { heard, participant } from './support/participant.ts';
import { startRelay } from './support/relay.ts';
import { SdkParticipant } from './support/sdk-participant.ts';
import { partsOf } from './support/talk.ts';

const TURNS = 20;

matrix((row) => {
  it('pairs the official client with ours for twenty turns [seed:S4.7]', async () => {
    const relay = await startRelay();
    const ours = await participant(relay.url, 'pair', 'stream');
    const { client } = await connect(relay, row);
    const theirs = new SdkParticipant(client, 'pair');
    // Its 0.3 HTTP+JSON transport has no place for the names of files.
    const said = (who: string, turn: number) =>
      partsOf(who, turn).map((part) => (row.sdk.keepsPartAttributes ? part : { ...part, filename: undefined }));
    let answer = ours.say(said('ours', 0));
    await eventually(async () => (await fetch(`${relay.url}/pairs/pair`)).text()).toContain('message-1');
    let came = await theirs.say(said('theirs', 0));
    for (let turn = 1; turn <= TURNS; turn += 1) {
      expect(came).toEqual(said('ours', turn - 1));
      const next = theirs.say(said('theirs', turn));
      expect(heard(await answer).parts).toEqual(said('theirs', turn));
      answer = ours.say(said('ours', turn));
      came = await next;
    }
    answer.catch(() => {});
  });
});
