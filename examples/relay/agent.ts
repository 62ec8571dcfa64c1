import { defineAgent, inputRequired, reject, reply, type TaskContext } from 'parley-a2a';
import type { Side } from './epoch.ts';
import type { Pair } from './pair.ts';
import { nameOfRun, type PairName } from './pair-name.ts';
import type { Pairs } from './pairs.ts';
import { markedStatus, mirrored, ownerIn, seatOf } from './side-mark.ts';
import * as texts from './texts.ts';

const MODES = ['text/plain', 'application/json', '*/*'];

/**
 * Mirrors what two participants say, turn by turn. Each has a task of its own, both in one context, which is the pair.
 *
 * A turn is a run: it takes what its caller says, waits for what the other side says to it, and ends with that as its
 * question. So the task of who may speak is input-required and nothing runs for it; that of the other works, and its
 * run, if it is lost in a crash, begins again from the two logs.
 */
export function relayAgent(pairs: Pairs) {
  return defineAgent({
    name: 'parley-bridge',
    description: 'Pairs two participants and mirrors their messages, turn by turn, over any version of A2A.',
    version: '1.0.0',
    skills: [
      {
        id: 'flip-proxy',
        name: 'Turn-based mirror',
        description:
          'Mirrors messages between two participants. The contextId of the first message names the pair: whoever sends ' +
          'the same one is the other side. When one of the two has left, the next message begins a new talk of the pair. ' +
          'A message without a contextId is answered with the id of a new pair.',
        tags: ['relay', 'chat', 'proxy'],
      },
    ],
    inputModes: MODES,
    outputModes: MODES,
    resumable: true,
    refuseWhileWorking: texts.OUT_OF_TURN,
    async run(task) {
      if (!task.context.isNamed) return reply(texts.opened(task.contextId));
      const name = await nameOfRun(task);
      await invite(task, name);
      return pairs.with(name, (pair) => takeTurn(task, pair, name.owner));
    },
  });
}

/**
 * Lets the other participant into the context of its owner. Callers who are told apart have contexts of their own, so that nobody
 * gets into a pair by its id alone: the owner names who may.
 */
async function invite(task: TaskContext, { owner }: PairName): Promise<void> {
  const partner = task.message.metadata?.partner;
  if (owner === '' || task.user.subject !== owner) return;
  if (typeof partner === 'string' && partner !== '' && partner !== owner) {
    await task.context.share([partner]).catch(() => {
      throw reject(texts.taken(partner, task.contextId));
    });
  } else if (partner !== undefined || (await isAlone(task))) throw reject(texts.PARTNER_MISSING);
}

/** Nobody was invited yet: there is no task in this context that has a place. */
async function isAlone(task: TaskContext): Promise<boolean> {
  return ownerIn(task) === undefined && !(await task.context.tasks({ limit: 100 })).some((one) => seatOf(one));
}

async function takeTurn(task: TaskContext, pair: Pair, owner: string) {
  const seat = pair.seatFor(task.id);
  if (!seat) throw reject(texts.complete(pair.id));
  const { epoch, side } = seat;
  const index = task.history.filter(({ role }) => role === 'user').length;
  void task.status(index === 0 ? markedStatus(side, epoch.number, texts.welcome(side, pair.id), owner) : texts.WAITING);
  // When this is recorded, the message and the task's side are on disk too: nobody hears what a crash could take back.
  await task.step('said', () => undefined);
  epoch.say(side, index, task.message);
  if (side === 'a' && index === 0) void task.status(mirrored(await epoch.hear('b', 0, task.signal)));
  return inputRequired(mirrored(await epoch.hear(...answerTo(side, index), task.signal)));
}

/** Where the answer to a message will stand. The second one's first message is no answer: it joins with it. */
function answerTo(side: Side, index: number): readonly [Side, number] {
  return side === 'a' ? ['b', index + 1] : ['a', index];
}
