import { asTask, check, checkEqual, refused, type Scenario, type Stage, say } from './scenario.ts';

const CONFIG = { id: 'hook', url: 'http://127.0.0.1:9/hook' };
const NOT_SUPPORTED = ['PUSH_NOTIFICATION_NOT_SUPPORTED'];
/** 501 is what 0.3 servers say over HTTP+JSON where a kit keeps the status alone. */
const STATUSES = [400, 501];

/** Webhooks: peers keep them; our server has them off here and says so. */
export const PUSH: readonly Scenario[] = [
  {
    name: 'push config, create',
    run: (stage) =>
      withTask(stage, async (taskId) =>
        checkEqual(await stage.caller.createPush(taskId, CONFIG), CONFIG, 'the config'),
      ),
  },
  {
    name: 'push config, get',
    run: (stage) =>
      withTask(stage, async (taskId) => {
        if (stage.role === 'server') await stage.caller.createPush(taskId, CONFIG);
        checkEqual(await stage.caller.getPush(taskId, CONFIG.id), CONFIG, 'the config');
      }),
  },
  {
    name: 'push config, list',
    run: (stage) =>
      withTask(stage, async (taskId) => {
        if (stage.role === 'server') await stage.caller.createPush(taskId, CONFIG);
        checkEqual(await stage.caller.listPush(taskId), [CONFIG], 'the list');
      }),
  },
  {
    name: 'push config, delete',
    run: (stage) =>
      withTask(stage, async (taskId) => {
        if (stage.role === 'server') await stage.caller.createPush(taskId, CONFIG);
        await stage.caller.deletePush(taskId, CONFIG.id);
      }),
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

async function withTask({ caller, role }: Stage, use: (taskId: string) => Promise<void>): Promise<void> {
  const { id } = asTask(await caller.send(say('hello')));
  if (role === 'server') await use(id);
  else await refused(use(id), NOT_SUPPORTED, STATUSES);
}
