import { invalidParams } from '../../../model/errors/errors.ts';
import type { OperationName } from '../../../model/operations.ts';

type Members = Readonly<Record<string, unknown>>;

/** Ids stand in names as they are: one of a task may have any characters, slashes among them. */
const TASK = /^tasks\/(.+)$/s;
const CONFIG = /^tasks\/(.+)\/pushNotificationConfigs\/([^/]+)$/s;

/**
 * The parameters of a request of 0.3 as its HTTP+JSON dialect reads them: ids instead of resource names (reference: v03 §9).
 * A send that says nothing of `blocking` returns at once, because a false is never on the wire (reference: v03 §6).
 */
export function paramsOfV0_3(operation: OperationName, json: Members): Members {
  switch (operation) {
    case 'sendMessage':
      return { ...json, configuration: json.configuration ?? {} };
    case 'sendStreamingMessage':
      // A stream always waits, whatever its client leaves unsaid.
      return { ...json, configuration: { ...(json.configuration as Members | undefined), blocking: true } };
    case 'getTask':
    case 'cancelTask':
    case 'subscribeToTask':
      return { ...json, id: idsIn(json, 'name', TASK, 'tasks/{id}')[0] };
    case 'createPushConfig':
    case 'listPushConfigs':
      return { ...json, taskId: idsIn(json, 'parent', TASK, 'tasks/{id}')[0] };
    case 'getPushConfig':
    case 'deletePushConfig': {
      const [taskId, id] = idsIn(json, 'name', CONFIG, 'tasks/{id}/pushNotificationConfigs/{configId}');
      return { taskId, id };
    }
    case 'getExtendedCard':
    case 'listTasks':
      return json;
  }
}

function idsIn(json: Members, member: 'name' | 'parent', form: RegExp, shown: string): readonly string[] {
  const name = json[member];
  const [, ...ids] = (typeof name === 'string' && form.exec(name)) || [];
  if (ids.length === 0) throw invalidParams({ field: member, description: `must be like ${shown}` });
  return ids;
}
