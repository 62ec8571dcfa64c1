import { bytes, json, link, type Part, type Task, text } from 'parley-a2a';
import { eventually } from '../../support/eventually.ts';
import { heard, type Participant } from './participant.ts';

/** Different parts for each message of a talk: every kind comes, alone and beside others. */
export function partsOf(who: string, turn: number): readonly Part[] {
  const said = text(`${who} ${turn}: <b>“hé”</b> & 🫖\n`);
  const file = bytes(new Uint8Array([turn, 0, 255, 10]), { mediaType: 'image/png', filename: `${who}-${turn}.png` });
  const place = link(`https://files.example.net/${who}/${turn}?a=1&b=2`, { mediaType: 'text/csv', filename: 'b.csv' });
  const data = json({ who, turn, nested: { list: [1, 'two', null, true] } });
  const kinds: readonly (readonly Part[])[] = [
    [said],
    [file],
    [place],
    [data],
    [said, file, place, data],
    [data, said],
  ];
  return kinds[turn % kinds.length] ?? [said];
}

/** What came at each turn, as the listening side got it. */
export interface Heard {
  readonly a: (readonly Part[])[];
  readonly b: (readonly Part[])[];
}

/**
 * Both sides at once, each in its own loop, as two programs do it: a waits for the answer to each of its messages, b
 * joins once the page shows a's first message, and answers each. The last message of b answers a's last one, and nobody answers that.
 */
export async function talk(page: string, a: Participant, b: Participant, turns: number): Promise<Heard> {
  const came: Heard = { a: [], b: [] };
  const first = (async () => {
    for (let turn = 1; turn <= turns; turn += 1) came.a.push(heard(await a.say(partsOf('a', turn))).parts);
  })();
  const second = (async () => {
    await eventually(() => shownAt(page)).toContain('message-1');
    came.b.push(heard(await b.say(partsOf('b', 0))).parts);
    for (let turn = 1; turn < turns; turn += 1) came.b.push(heard(await b.say(partsOf('b', turn))).parts);
  })();
  await second;
  const last = b.say(partsOf('b', turns));
  await first;
  // Nobody answers it: it is left open, and ends with the server.
  last.catch(() => {});
  return came;
}

/** '' while nobody answers. */
function shownAt(page: string): Promise<string> {
  return fetch(page).then(
    (response) => response.text(),
    () => '',
  );
}

/** What must have come after so many turns. */
export function expectedTalk(turns: number): Heard {
  const numbers = Array.from({ length: turns }, (_, index) => index + 1);
  return { a: numbers.map((turn) => partsOf('b', turn)), b: numbers.map((turn) => partsOf('a', turn)) };
}

/** All that was said in a task by its caller. */
export function saidIn({ history }: Task): (readonly Part[])[] {
  return history.filter(({ role }) => role === 'user').map(({ parts }) => parts);
}
