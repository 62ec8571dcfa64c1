import { isPlainObject } from '../../../model/basics/json.ts';
import { nearest } from '../../../model/options/nearest.ts';
import type { Command } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { CALL_OPTIONS, wholeNumber } from '../../options.ts';
import { OperatorRequest, type OperatorResponse } from '../../push/operator-request.ts';
import { webhookLine, webhooksIn, webhookText } from '../../push/webhook-lines.ts';
import { CommandError } from '../../show/problems.ts';
import { cleanLine } from '../../text/clean.ts';
import { type Conversation, converse } from '../../turn/conversation.ts';
import { UsageError } from '../../usage-error.ts';

const ACTIONS = ['list', 'show', 'redeliver'] as const;
type Action = (typeof ACTIONS)[number];

interface Asked {
  readonly task: string | undefined;
  readonly config: string | undefined;
  readonly conversation: Conversation;
  readonly request: OperatorRequest;
}

export const push: Command = {
  name: 'push',
  parameters: 'list URL [TASK] | show URL TASK [CONFIG] | redeliver URL TASK [CONFIG]',
  summary: 'show the webhooks of a server and deliver to them again; for operators',
  details:
    'Needs the scope parley:operator. list prints one line per webhook: standing, task, config, URL, failures, ' +
    'last error and next try, separated by tabs. redeliver sends what was not delivered, without waiting for ' +
    'the next try; if nothing is missing, it sends everything again. --from SEQ starts after that event.',
  actions: ACTIONS,
  words: [2, 4],
  urlAt: 1,
  options: ['from', ...CALL_OPTIONS],
  examples: [
    'push list localhost:4000',
    'push show localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e',
    'push redeliver localhost:4000 0198f3c2-7a0e-7bb2-9a57-0c9b8f0c1d2e my-hook',
  ],

  run: ({ positionals: [word = '', url = '', task, config], options }, surroundings) => {
    const action = actionOf(word);
    if (action !== 'list' && task === undefined) throw new UsageError(`push ${action} needs URL and TASK`);
    if (action === 'list' && config !== undefined) throw new UsageError(`push list takes no CONFIG; use push show`);
    let client: Conversation['client'] | undefined;
    const request = new OperatorRequest(() => client);
    const talk = (conversation: Conversation) => {
      client = conversation.client;
      return RUN[action]({ task, config, conversation, request });
    };
    return converse(url, options, surroundings, talk, { fetch: request.fetch });
  },
};

const RUN: Readonly<Record<Action, (asked: Asked) => Promise<number>>> = { list, show, redeliver };

function actionOf(word: string): Action {
  const found = ACTIONS.find((action) => action === word);
  if (found) return found;
  const meant = nearest(word, ACTIONS);
  throw new UsageError(`push cannot ${word}; ${meant ? `did you mean ${meant}?` : `it can ${ACTIONS.join(', ')}`}`);
}

async function list({ task, conversation, request }: Asked): Promise<number> {
  const { screen, interruption } = conversation;
  let after: string | undefined;
  let count = 0;
  do {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
    const body = required(await request.send('GET', `${pathOf(task)}${query}`, interruption.signal));
    for (const webhook of webhooksIn(body)) {
      count += 1;
      if (screen.json) screen.object(webhook);
      else screen.write(`${webhookLine(webhook)}\n`);
    }
    const next = isPlainObject(body) && typeof body.next === 'string' ? body.next : undefined;
    after = next === after ? undefined : next;
  } while (after !== undefined);
  if (count === 0) screen.hint('There are no webhooks.');
  return EXIT.done;
}

async function show({ task, config, conversation, request }: Asked): Promise<number> {
  const { screen, interruption } = conversation;
  const found = webhooksIn(required(await request.send('GET', pathOf(task, config), interruption.signal)));
  if (found.length === 0)
    throw new CommandError(
      `The task ${cleanLine(task ?? '')} has no webhooks; push list shows the tasks that have some`,
    );
  for (const [index, webhook] of found.entries()) {
    if (screen.json) screen.object(webhook);
    else screen.write(`${index > 0 ? '\n' : ''}${webhookText(webhook, Date.now())}\n`);
  }
  return EXIT.done;
}

async function redeliver({ task, config, conversation, request }: Asked): Promise<number> {
  const { screen, interruption, options } = conversation;
  const from = options.from === undefined ? undefined : wholeNumber('from', options.from, 0, Number.MAX_SAFE_INTEGER);
  const path = `${pathOf(task, config)}${from === undefined ? '' : `?from=${from}`}`;
  const body = required(await request.send('POST', path, interruption.signal));
  const told = isPlainObject(body) && Array.isArray(body.redelivered) ? body.redelivered.filter(isPlainObject) : [];
  for (const one of told) {
    if (screen.json) screen.object(one);
    else screen.note(`Webhook ${cleanLine(String(one.id))} is told again what comes after ${String(one.from)}.`);
  }
  return EXIT.done;
}

function pathOf(task?: string, config?: string): string {
  const words = [task, config].filter((word) => word !== undefined).map(encodeURIComponent);
  return ['/push', ...words].join('/');
}

/** The body of a response that is no refusal. */
function required({ status, body }: OperatorResponse): unknown {
  if (status >= 200 && status < 300) return body;
  const detail = isPlainObject(body) && typeof body.detail === 'string' ? body.detail : `The server answers ${status}`;
  throw new CommandError(cleanLine(detail));
}
