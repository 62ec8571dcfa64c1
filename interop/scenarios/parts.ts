import { DATA, FILE, FILE_IN_HEX, LINK, LINK_TYPE } from '../script-agent.ts';
import { type SeenPart, textOf } from '../seen.ts';
import { allOf, asTask, checkEqual, Difference, type Scenario, type Stage, say } from './scenario.ts';

const FILE_PART: SeenPart = { kind: 'bytes', hex: FILE_IN_HEX, ...FILE };
const LINK_PART: SeenPart = { kind: 'link', url: LINK, mediaType: LINK_TYPE, filename: '' };
const DATA_PART: SeenPart = { kind: 'data', data: DATA };

/** Files and data, each way. */
export const PARTS: readonly Scenario[] = [
  { name: 'file, sent', run: (stage) => sends(stage, FILE_PART) },
  { name: 'file by address, sent', run: (stage) => sends(stage, LINK_PART) },
  { name: 'data, sent', run: (stage) => sends(stage, DATA_PART) },
  { name: 'file, received', run: (stage) => receives(stage, FILE_PART) },
  { name: 'file by address, received', run: (stage) => receives(stage, LINK_PART) },
  { name: 'data, received', run: (stage) => receives(stage, DATA_PART) },
  {
    name: 'file and data, streamed',
    run: async ({ caller }) => {
      const events = await allOf(caller.stream(say('produce')));
      const parts = events.flatMap((event) => (event.kind === 'artifact' ? event.parts : []));
      checkEqual(parts, [{ kind: 'text', text: 'made' }, FILE_PART, LINK_PART, DATA_PART], 'what was streamed');
    },
  },
];

/** The agent says what it was given, with bytes decoded. */
async function sends({ caller }: Stage, part: SeenPart): Promise<void> {
  const task = asTask(await caller.send({ parts: [{ kind: 'text', text: 'receive' }, part] }));
  const text = textOf(task.parts);
  const [arrived] = text === '' ? [] : (JSON.parse(text) as readonly Record<string, unknown>[]);
  if (!arrived) throw new Difference(`nothing arrived; the task is ${task.state}: ${task.said}`);
  checkEqual(normalised(arrived), normalised({ ...part }), 'what arrived');
}

async function receives({ caller }: Stage, wanted: SeenPart): Promise<void> {
  const task = asTask(await caller.send(say('produce')));
  const part = task.parts.find(({ kind }) => kind === wanted.kind);
  checkEqual(part, wanted, 'the part');
}

/** An empty name or type is as good as none. */
function normalised(part: Readonly<Record<string, unknown>>): unknown {
  const known = Object.entries(part).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  return Object.fromEntries(known);
}
