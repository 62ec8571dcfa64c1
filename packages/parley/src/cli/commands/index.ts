import type { Command } from '../command.ts';
import { agents } from './agents.ts';
import { cancel } from './cancel.ts';
import { card } from './card.ts';
import { chat } from './chat.ts';
import { check } from './check.ts';
import { completionOf } from './completion.ts';
import { db } from './db.ts';
import { doctor } from './doctor.ts';
import { get } from './get.ts';
import { init } from './init.ts';
import { keys } from './keys.ts';
import { listen } from './listen.ts';
import { login, logout } from './login.ts';
import { mcp } from './mcp.ts';
import { push } from './push.ts';
import { send, stream } from './send.ts';
import { serve } from './serve.ts';
import { tasks } from './tasks.ts';
import { tree } from './tree.ts';
import { watch } from './watch.ts';

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
