import { asTask, check, checkEqual, refused, type Scenario, type Stage, say } from './scenario.ts';

/** Nobody listens there: what counts is who keeps the config, and how it comes back. */
const CONFIG = { id: 'hook', url: 'http://127.0.0.1:18080/hook' };

/** Webhooks: both sides keep them, and show them to who made them. */
export const PUSH: readonly Scenario[] = [
  {
    name: 'push config, create',
    run: async (stage) => {
      const taskId = await endedTask(stage);
      checkEqual(await stage.caller.createPush(taskId, CONFIG), CONFIG, 'the config');
    },
  },
  {
    name: 'push config, get',
    run: async (stage) => {
      const taskId = await withConfig(stage);
      checkEqual(await stage.caller.getPush(taskId, CONFIG.id), CONFIG, 'the config');
    },
  },
  {
    name: 'push config, list',
    run: async (stage) => {
      const taskId = await withConfig(stage);
      checkEqual(await stage.caller.listPush(taskId), [CONFIG], 'the list');
    },
  },
  {
    name: 'push config, delete',
    run: async (stage) => {
      const taskId = await withConfig(stage);
      await stage.caller.deletePush(taskId, CONFIG.id);
    },
  },
  {
    name: 'extended card',
    run: async ({ caller, role }) => {
      if (role === 'server') {
        checkEqual((await caller.extendedCard()).name, 'scripted, extended', 'its name');
        return;
      }
      // Ours has none. Kits that look at the public card first give that one.
      const isPublic = caller.extendedCard().then(({ name }) => check(name === 'scripted', `its name is ${name}`));
      const wanted = ['UNSUPPORTED_OPERATION', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'];
      await isPublic.catch((error: unknown) => refused(Promise.reject(error), wanted, [400, 404, 501]));
    },
  },
];

async function endedTask({ caller }: Stage): Promise<string> {
  return asTask(await caller.send(say('hello'))).id;
}

async function withConfig(stage: Stage): Promise<string> {
  const taskId = await endedTask(stage);
  await stage.caller.createPush(taskId, CONFIG);
  return taskId;
}
