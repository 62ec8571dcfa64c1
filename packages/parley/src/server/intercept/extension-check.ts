import { isPlainObject } from '../../model/basics/json.ts';
import {
  type Check,
  type Checks,
  called,
  isLiteral,
  literalMembers,
  orElse,
  shown,
} from '../../model/options/checks.ts';
import type { ServerHooks } from '../follow/hooks.ts';
import type { ServerInterceptor } from './interceptors.ts';

const hook = orElse(called, null);

const HOOKS: Checks<ServerHooks & ServerInterceptor> = {
  operation: hook,
  run: hook,
  commit: hook,
  step: hook,
  call: hook,
  webhook: hook,
  event: hook,
  transform: hook,
  onEvent: hook,
};
const NAMES = Object.keys(HOOKS);

const members = literalMembers(HOOKS);

/**
 * What `server.use` takes. Interceptors of clients are functions; here one would intercept nothing. A function that nobody would
 * call is refused, for it may be a guard with a wrong name; other members of an extension are its own affair.
 */
export const extensionCheck: Check = (value, name) => {
  const there = `an object with functions, some of ${NAMES.join(', ')}`;
  if (!isPlainObject(value)) return `${name || 'an extension'} must be ${there}, not ${shown(value)}`;
  const looked = isLiteral(value) ? withoutData(value) : value;
  const isEmpty = isLiteral(value) && Object.keys(value).length === 0;
  const wrong = members(looked, name);
  if (wrong !== undefined || isEmpty) return wrong;
  return NAMES.some((hookName) => typeof value[hookName] === 'function')
    ? undefined
    : `${name || 'an extension'} must be ${there}`;
};

function withoutData(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(([member, one]) => typeof one === 'function' || NAMES.includes(member)),
  );
}
