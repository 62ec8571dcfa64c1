import type { Command } from '../command.ts';
import { agents } from './agents/agents.ts';
import { card } from './agents/card.ts';
import { check } from './agents/check.ts';
import { login, logout } from './agents/login.ts';
import { mcp } from './agents/mcp.ts';
import { completionOf } from './running/completion.ts';
import { db } from './running/db.ts';
import { doctor } from './running/doctor.ts';
import { init } from './running/init.ts';
import { keys } from './running/keys.ts';
import { listen } from './running/listen.ts';
import { push } from './running/push.ts';
import { serve } from './running/serve.ts';
import { cancel } from './tasks/cancel.ts';
import { chat } from './tasks/chat.ts';
import { get } from './tasks/get.ts';
import { send, stream } from './tasks/send.ts';
import { tasks } from './tasks/tasks.ts';
import { tree } from './tasks/tree.ts';
import { watch } from './tasks/watch.ts';

/** In the order of the overview. */
export const COMMANDS: readonly Command[] = [
  init,
  serve,
  doctor,
  agents,
  card,
  check,
  send,
  stream,
  chat,
  tasks,
  get,
  watch,
  tree,
  cancel,
  login,
  logout,
  keys,
  db,
  push,
  listen,
  mcp,
  completionOf(() => COMMANDS),
];
