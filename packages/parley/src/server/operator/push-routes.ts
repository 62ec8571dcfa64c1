import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { isPlainObject, type JsonValue } from '../../model/basics/json.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import { fromBase64Url, toBase64Url } from '../auth/digest.ts';
import type { OperatorView, WebhookQuery } from '../push/operator-view.ts';
import type { PushRoute } from '../routing/routes.ts';
import { problem, problemOf } from './problems.ts';

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
  const tenant = tenantOf(query);
  if (taskId !== undefined && configId !== undefined) return view.show(taskId, configId, tenant);
  const limit = numberOf(query, 'limit', 1, LARGEST_PAGE) ?? USUAL_PAGE;
  const { webhooks, next } = await view.list({ taskId, tenant }, placeOf(query.get('after')), limit);
  return { webhooks, ...(next && { next: toBase64Url(new TextEncoder().encode(JSON.stringify(next))) }) };
}

async function redeliver(
  view: OperatorView,
  query: URLSearchParams,
  taskId: string,
  configId: string | undefined,
): Promise<JsonValue> {
  const from = numberOf(query, 'from', 0, Number.MAX_SAFE_INTEGER);
  const tenant = tenantOf(query);
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

/** An empty tenant is none, as in every other request. */
function tenantOf(query: URLSearchParams): string | undefined {
  return query.get('tenant') || undefined;
}

function numberOf(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new A2AError('INVALID_PARAMS', `${name} must be a whole number from ${least} to ${most}`);
}

function placeOf(text: string | null) {
  if (text === null) return undefined;
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text)));
    if (isPlainObject(place) && typeof place.taskId === 'string' && typeof place.id === 'string') {
      return { taskId: place.taskId, id: place.id };
    }
  } catch {
    // Refused below.
  }
  throw new A2AError('INVALID_PARAMS', 'after must be the next of an earlier page');
}

function json(value: JsonValue): ExchangeResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
