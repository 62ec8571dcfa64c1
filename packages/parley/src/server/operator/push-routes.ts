import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import type { OperatorView, WebhookQuery } from '../push/operator-view.ts';
import type { PushRoute } from '../routing/routes.ts';
import { problem, problemOf } from './problems.ts';
import { numberOf, placeOf, placeToken, textOf } from './query-fields.ts';

const LARGEST_PAGE = 100;
const USUAL_PAGE = 50;

/**
 * The operators' routes about webhooks: `/operator/push`, `/operator/push/TASK` and `/operator/push/TASK/CONFIG`. `?tenant=`
 * leaves out those of all others.
 */
export class PushRoutes {
  readonly #view: OperatorView | undefined;

  /** @param view undefined where webhooks are off */
  constructor(view: OperatorView | undefined) {
    this.#view = view;
  }

  async respond({ method }: ExchangeRequest, query: URLSearchParams, route: PushRoute): Promise<ExchangeResponse> {
    const view = this.#view;
    const { taskId } = route;
    const allow = taskId === undefined ? 'GET, HEAD' : 'GET, HEAD, POST';
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && (method !== 'POST' || taskId === undefined)) {
      return problem(405, `${quoted(method)} is not allowed here; use ${allow}`, { allow });
    }
    if (!view) return problem(404, 'Webhooks are off on this server');
    try {
      if (isRead) return json(await read(view, query, route));
      return json(await redeliver(view, query, taskId ?? '', route.configId));
    } catch (error) {
      return problemOf(A2AError.from(error));
    }
  }
}

async function read(view: OperatorView, query: URLSearchParams, { taskId, configId }: PushRoute): Promise<JsonValue> {
  const tenant = textOf(query, 'tenant');
  if (taskId !== undefined && configId !== undefined) return view.show(taskId, configId, tenant);
  const limit = numberOf(query, 'limit', 1, LARGEST_PAGE) ?? USUAL_PAGE;
  const { webhooks, next } = await view.list({ taskId, tenant }, placeOf(query, isPlace), limit);
  return { webhooks, ...(next && { next: placeToken(next) }) };
}

async function redeliver(
  view: OperatorView,
  query: URLSearchParams,
  taskId: string,
  configId: string | undefined,
): Promise<JsonValue> {
  const from = numberOf(query, 'from', 0, Number.MAX_SAFE_INTEGER);
  const tenant = textOf(query, 'tenant');
  const ids = configId === undefined ? await idsOf(view, { taskId, tenant }) : [configId];
  if (ids.length === 0) throw new A2AError('NOT_FOUND', `The task "${quoted(taskId)}" has no webhooks`);
  const redelivered: JsonValue[] = [];
  for (const id of ids) redelivered.push({ taskId, id, from: await view.redeliver(taskId, id, { from, tenant }) });
  return { redelivered };
}

async function idsOf(view: OperatorView, query: WebhookQuery): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: Parameters<OperatorView['list']>[1];
  do {
    const { webhooks, next } = await view.list(query, after, LARGEST_PAGE);
    for (const { id } of webhooks) if (typeof id === 'string') ids.push(id);
    after = next;
  } while (after);
  return ids;
}

function isPlace(place: unknown): place is { readonly taskId: string; readonly id: string } {
  return isPlainObject(place) && typeof place.taskId === 'string' && typeof place.id === 'string';
}

function json(value: JsonValue): ExchangeResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
