import type { MetricLabel } from '../names.ts';

/** A metric, with its names for Prometheus and OpenTelemetry. Labels are few, and each has few values. */
export interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  /** The name for Prometheus; undefined where only OpenTelemetry has it. */
  readonly name?: string | undefined;
  /** The name for OpenTelemetry; undefined where only Prometheus has it. */
  readonly openTelemetry?: string | undefined;
  readonly help: string;
  /** Base units: seconds, bytes; a count has the name of what is counted in braces. */
  readonly unit: string;
  readonly labels: readonly MetricLabel[];
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[] | undefined;
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const COMMIT_SECONDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

/** Every metric. */
export const METRICS = {
  requests: {
    kind: 'counter',
    name: 'parley_requests_total',
    openTelemetry: 'parley.requests',
    help: 'Operations that clients asked for, by outcome.',
    unit: '{request}',
    labels: ['operation', 'dialect', 'binding', 'outcome'],
  },
  requestSeconds: {
    kind: 'histogram',
    name: 'parley_request_duration_seconds',
    openTelemetry: 'parley.request.duration',
    help: 'Time until the response to an operation, or until its stream begins.',
    unit: 's',
    labels: ['operation', 'dialect'],
    buckets: SECONDS,
  },
  responses: {
    kind: 'counter',
    name: 'parley_http_responses_total',
    openTelemetry: 'parley.http.responses',
    help: 'HTTP responses, by kind of address and status.',
    unit: '{response}',
    labels: ['route', 'status'],
  },
  limits: {
    kind: 'counter',
    name: 'parley_limits_hit_total',
    openTelemetry: 'parley.limits.hit',
    help: 'Requests that a limit refused, by the name of the limit in the settings.',
    unit: '{request}',
    labels: ['limit'],
  },
  streams: {
    kind: 'counter',
    name: 'parley_streams_total',
    openTelemetry: 'parley.streams',
    help: 'Streams that have ended: complete, or left by their client.',
    unit: '{stream}',
    labels: ['operation', 'outcome'],
  },
  openStreams: {
    kind: 'gauge',
    name: 'parley_streams_open',
    openTelemetry: 'parley.streams.open',
    help: 'Streams that are open now.',
    unit: '{stream}',
    labels: [],
  },
  tasks: {
    kind: 'gauge',
    name: 'parley_tasks',
    openTelemetry: 'parley.tasks',
    help: 'Tasks in the store, by state. Servers that share a store report the same number.',
    unit: '{task}',
    labels: ['agent', 'state'],
  },
  liveTasks: {
    kind: 'gauge',
    name: 'parley_tasks_live',
    openTelemetry: 'parley.tasks.live',
    help: 'Tasks in memory.',
    unit: '{task}',
    labels: [],
  },
  runs: {
    kind: 'counter',
    name: 'parley_runs_total',
    openTelemetry: 'parley.runs',
    help: 'Runs of agents that have ended, by their last state.',
    unit: '{run}',
    labels: ['agent', 'state'],
  },
  runSeconds: {
    kind: 'histogram',
    name: 'parley_run_duration_seconds',
    openTelemetry: 'gen_ai.invoke_agent.duration',
    help: 'Time of a run of an agent.',
    unit: 's',
    labels: ['agent'],
    buckets: SECONDS,
  },
  stepSeconds: {
    kind: 'histogram',
    name: 'parley_step_duration_seconds',
    openTelemetry: 'parley.step.duration',
    help: 'Time of one step, with its retries.',
    unit: 's',
    labels: ['agent', 'outcome'],
    buckets: SECONDS,
  },
  callSeconds: {
    kind: 'histogram',
    name: 'parley_agent_call_duration_seconds',
    openTelemetry: 'parley.agent_call.duration',
    help: 'Time of a call from one agent to another.',
    unit: 's',
    labels: ['agent', 'outcome'],
    buckets: SECONDS,
  },
  events: {
    kind: 'counter',
    name: 'parley_events_total',
    openTelemetry: 'parley.events',
    help: 'Events of tasks written to the store.',
    unit: '{event}',
    labels: [],
  },
  commitSeconds: {
    kind: 'histogram',
    name: 'parley_commit_duration_seconds',
    openTelemetry: 'parley.commit.duration',
    help: 'Time of a write to the store.',
    unit: 's',
    labels: ['outcome'],
    buckets: COMMIT_SECONDS,
  },
  commitEvents: {
    kind: 'histogram',
    name: 'parley_commit_events',
    openTelemetry: 'parley.commit.events',
    help: 'Events in one write to the store.',
    unit: '{event}',
    labels: [],
    buckets: COUNTS,
  },
  queues: {
    kind: 'gauge',
    name: 'parley_queue_depth',
    openTelemetry: 'parley.queue.depth',
    help: 'Waiting work: runs for a slot, tasks for their commit, tasks for the delivery of webhooks.',
    unit: '{item}',
    labels: ['queue'],
  },
  nodes: {
    kind: 'gauge',
    name: 'parley_nodes',
    openTelemetry: 'parley.nodes',
    help: 'Live nodes that share the store, by role. All nodes report the same number.',
    unit: '{node}',
    labels: ['role'],
  },
  leases: {
    kind: 'gauge',
    name: 'parley_leases',
    openTelemetry: 'parley.leases',
    help: 'Tasks that this node holds a lease on and runs, if nodes share the store.',
    unit: '{task}',
    labels: [],
  },
  queuedTurns: {
    kind: 'gauge',
    name: 'parley_turns_queued',
    openTelemetry: 'parley.turns.queued',
    help: 'Turns that wait in the store for any node. All nodes report the same number.',
    unit: '{turn}',
    labels: [],
  },
  queuedTurnAge: {
    kind: 'gauge',
    name: 'parley_turns_queued_oldest_seconds',
    openTelemetry: 'parley.turns.queued.oldest',
    help: 'Time that the oldest of these turns has waited; 0 while none waits.',
    unit: 's',
    labels: [],
  },
  claims: {
    kind: 'counter',
    name: 'parley_turns_claimed_total',
    openTelemetry: 'parley.turns.claimed',
    help: 'Turns that this node claimed from those that wait for any node.',
    unit: '{turn}',
    labels: [],
  },
  eventLag: {
    kind: 'histogram',
    name: 'parley_event_lag_seconds',
    openTelemetry: 'parley.event.lag',
    help: 'Time from an event on another node until readers of this node have it.',
    unit: 's',
    labels: [],
    buckets: SECONDS,
  },
  storeFailing: {
    kind: 'gauge',
    name: 'parley_store_failing',
    openTelemetry: 'parley.store.failing',
    help: '1 while writes to the store fail, or failed a moment ago.',
    unit: '1',
    labels: [],
  },
  loopDelay: {
    kind: 'gauge',
    name: 'parley_event_loop_delay_seconds',
    openTelemetry: 'parley.event_loop.delay',
    help: 'Delay of the event loop since the last reading: mean, p99 and max.',
    unit: 's',
    labels: ['stat'],
  },
  webhooks: {
    kind: 'counter',
    name: 'parley_webhook_requests_total',
    openTelemetry: 'parley.webhook.requests',
    help: 'Requests to webhooks, by outcome.',
    unit: '{request}',
    labels: ['outcome'],
  },
  webhookSeconds: {
    kind: 'histogram',
    name: 'parley_webhook_duration_seconds',
    openTelemetry: 'parley.webhook.duration',
    help: 'Time of a request to a webhook.',
    unit: 's',
    labels: ['outcome'],
    buckets: SECONDS,
  },
  webhookLag: {
    kind: 'histogram',
    name: 'parley_webhook_lag_seconds',
    openTelemetry: 'parley.webhook.lag',
    help: 'Time from an event until its webhook has it.',
    unit: 's',
    labels: [],
    buckets: SECONDS,
  },
  modelCalls: {
    kind: 'counter',
    name: 'parley_model_calls_total',
    openTelemetry: 'parley.model.calls',
    help: 'Requests to language models, by outcome.',
    unit: '{request}',
    labels: ['provider', 'model', 'outcome'],
  },
  modelSeconds: {
    kind: 'histogram',
    name: 'parley_model_call_duration_seconds',
    openTelemetry: 'gen_ai.client.operation.duration',
    help: 'Time of a request to a language model.',
    unit: 's',
    labels: ['provider', 'model'],
    buckets: SECONDS,
  },
  modelTokens: {
    kind: 'counter',
    name: 'parley_model_tokens_total',
    help: 'Tokens of requests to language models.',
    unit: '{token}',
    labels: ['provider', 'model', 'type'],
  },
  tokenUsage: {
    kind: 'histogram',
    openTelemetry: 'gen_ai.client.token.usage',
    help: 'Tokens of one request to a language model.',
    unit: '{token}',
    labels: ['provider', 'model', 'type'],
    buckets: TOKENS,
  },
  toolSeconds: {
    kind: 'histogram',
    name: 'parley_tool_call_duration_seconds',
    openTelemetry: 'gen_ai.execute_tool.duration',
    help: 'Time of a tool call of a language model.',
    unit: 's',
    labels: ['tool', 'outcome'],
    buckets: SECONDS,
  },
} as const satisfies Record<string, Metric>;

export type MetricId = keyof typeof METRICS;
