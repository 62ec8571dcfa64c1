import { resolveLimits } from '../../packages/parley/src/server/limits/limits.ts';

/** A section of a page: an interface and the call that takes it. */
export type Section = readonly [name: string, use: string, details?: SectionDetails];

export interface SectionDetails {
  /** The file, where several have an interface of this name. */
  readonly file?: string;
  /** Any part of the interface may be left out, whatever its members say. */
  readonly isPartial?: boolean;
  /** The defaults as the code has them, where comments need not repeat them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

export interface ReferencePage {
  /** Below `docs/`. */
  readonly path: string;
  readonly title: string;
  readonly opening: string;
  readonly sections: readonly Section[];
}

/** The pages of options, in reading order. A test checks that every exported interface of options is on one of them. */
export const REFERENCE_PAGES: readonly ReferencePage[] = [
  {
    path: 'options/server.md',
    title: 'Options of servers',
    opening:
      'Every option of `new A2AServer(options)` and of its parts. [Hosting](../hosting.md) explains how to use them. [Configuration](../configuration.md) lists the same settings for `parley serve`.',
    sections: [
      ['A2AServerOptions', '`new A2AServer(options)`'],
      ['ListenOptions', '`server.listen(options)`'],
      ['TlsOptions', '`server.listen({ tls })`, `server.renewTls(tls)`'],
      ['GrpcOptions', '`new A2AServer({ grpc })`'],
      [
        'ServerLimits',
        '`new A2AServer({ limits })`: sizes, times and counts',
        { isPartial: true, defaults: { ...resolveLimits() } },
      ],
      ['TrafficLimits', '`new A2AServer({ limits })`: bounds of one caller', { isPartial: true }],
      ['CallerSettings', '`new A2AServer({ limits })`: limits by caller and by load', { isPartial: true }],
      ['RateLimit', '`new A2AServer({ limits: { rate } })`', { file: 'model/traffic-limits.ts' }],
      ['FailureLimit', '`new A2AServer({ limits: { failedCredentials } })`'],
      ['LoadLimit', '`new A2AServer({ limits: { load } })`'],
      ['RetentionOptions', '`new A2AServer({ retention })`'],
      ['PushSettings', '`new A2AServer({ push })`', { file: 'server/push/settings.ts' }],
      ['OutboundOptions', '`new OutboundGuard(options)`'],
      ['CorsOptions', '`new A2AServer({ cors })`'],
      ['CardSettings', '`new A2AServer({ card })`'],
      ['MetricsSettings', '`new A2AServer({ metrics })`'],
      ['ConsoleOptions', '`new A2AServer({ console })`'],
      ['FileEncodingOptions', '`new A2AServer({ fileEncoding })`, `new A2AClient(url, { fileEncoding })`'],
      ['StartTelemetryOptions', '`startOpenTelemetry(options)`'],
      ['FlexibleLimiterOptions', '`flexibleRates(limiterOf)`, as the argument of `limiterOf`'],
      ['NodeOptions', '`a2aNode(server, options)`'],
      ['FetchOptions', '`a2aFetch(server, options)`'],
      ['KoaOptions', '`a2aKoa(server, options)`'],
      ['NextOptions', '`a2aNext(server, options)`'],
      ['CloseOnSignalsOptions', '`closeOnSignals(server, options)`'],
      ['A2AErrorOptions', '`new A2AError(code, message, options)`'],
      ['JsonRpcCallOptions', '`server.handleJsonRpc(body, options)`'],
      ['PurgeTasksOptions', '`server.purgeTasks(options)`'],
      ['RerunTaskOptions', '`server.rerun(id, options)`'],
      ['ForkContextOptions', '`server.forkContext(context, options)`'],
    ],
  },
  {
    path: 'options/auth.md',
    title: 'Options of authenticators',
    opening: 'Every option of `parley-a2a/auth`. [Authentication](../operations/auth.md) explains how to use them.',
    sections: [
      ['ApiKeysOptions', '`apiKeys(options)`'],
      ['JwtOptions', '`jwt(options)`'],
      ['BasicOptions', '`basic(options)`'],
      ['MtlsOptions', '`mtls(options)`'],
      ['CustomOptions', '`custom(identify, options)`'],
      ['WrongCredentialOptions', '`wrongCredential(authenticator, why, options)`'],
    ],
  },
  {
    path: 'options/agents.md',
    title: 'Options of agents',
    opening:
      'Every option of `defineAgent` and of the methods of a task. [Writing an agent](../guides/agents.md) explains how to use them.',
    sections: [
      ['AgentDefinition', '`defineAgent(definition)`'],
      ['SkillDefinition', '`defineAgent({ skills })`'],
      ['ExtensionDefinition', '`defineAgent({ extensions })`'],
      ['ExecutorAgentOptions', '`fromExecutor(executor, options)`'],
      ['AskOptions', '`task.ask(prompt, options)`'],
      ['QuestionOptions', '`task.ask({ prompt, … })`'],
      ['RequireAuthOptions', '`task.requireAuth(options)`'],
      ['ToolCallOptions', '`task.tool(name, args, options)`'],
      ['CheckedToolCallOptions', '`task.tool(name, args, { schema })`'],
      ['StepOptions', '`task.step(name, action, options)`'],
      ['StatusOptions', '`task.status(message, options)`'],
      ['ArtifactOptions', '`task.artifact(options)`'],
      ['AgentCallOptions', '`task.call(target, message, options)`'],
      ['FetchFileOptions', '`task.fetchFile(part, options)`'],
      ['EarlierMessagesOptions', '`task.context.messages(options)`'],
      ['EarlierTasksOptions', '`task.context.tasks(options)`'],
    ],
  },
  {
    path: 'options/models.md',
    title: 'Options of language models and tools',
    opening:
      'Every option of `parley-a2a/llm` and `parley-a2a/mcp`. [Language models](../guides/llm.md) and [MCP](../guides/mcp.md) explain how to use them.',
    sections: [
      ['LlmAgentOptions', '`llmAgent(options)`'],
      ['LlmLimits', '`llmAgent({ limits })`', { isPartial: true }],
      ['A2AModelOptions', '`a2aModel(client, options)`'],
      ['A2AModelSettings', '`providerOptions.a2a`, for one call of such a model'],
      ['McpCommand', '`mcpTools(source)`, for a server that is a process'],
      ['McpAddress', '`mcpTools(source)`, for a server over HTTP'],
      ['McpToolsOptions', '`mcpTools(source)`, for both'],
      ['McpToolsLimits', '`mcpTools({ limits })`'],
      ['McpUseOptions', '`tool.execute(input, options)`'],
    ],
  },
  {
    path: 'options/client.md',
    title: 'Options of clients',
    opening:
      'Every option of `A2AClient` and of its methods. [Calling an agent](../client.md) explains how to use them.',
    sections: [
      ['ClientOptions', '`new A2AClient(url, options)`, `A2AClient.connect(url, options)`'],
      ['TrustingClientOptions', '`A2AClient.connect(url, options)` of `parley-a2a`'],
      ['SkilledClientOptions', '`A2AClient.connect(url, { agent })`'],
      ['CallOptions', 'The last parameter of every method', { file: 'client/options.ts' }],
      ['SendOptions', '`client.sendMessage(content, options)`, `sendMessageStream`, `run`'],
      ['SkillCallOptions', '`client.skill(id).call(input, options)`, `stream`'],
      ['SubscribeOptions', '`client.subscribe(id, options)`'],
      ['GetTaskOptions', '`client.getTask(id, options)`'],
      ['CancelOptions', '`client.cancelTask(id, options)`'],
      ['ListPushConfigsOptions', '`client.listPushConfigs(id, options)`'],
      ['TaskTreeOptions', '`taskTree(client, id, options)`'],
      ['ToolOptions', '`client.asTool(options)`, `client.skillTools(options)`'],
      ['CollectOptions', '`collect(stream, options)`'],
      ['RetryOptions', '`new A2AClient(url, { retry })`'],
      ['ReconnectOptions', '`new A2AClient(url, { reconnect })`'],
      ['ClientLimits', '`new A2AClient(url, { limits })`'],
      ['GrpcClientOptions', '`grpc(options)` of `parley-a2a/grpc`'],
      ['OAuthOptions', '`oauth(options)` of `parley-a2a/oauth`'],
      ['DeviceCodeOptions', '`deviceCode(options)`'],
      ['LoopbackOptions', '`loopback(options)` of `parley-a2a/oauth/node`'],
    ],
  },
  {
    path: 'options/stores.md',
    title: 'Options of stores and buses',
    opening:
      'Every option of the stores and of the NATS bus. [Stores](../operations/stores.md) explains how to use them.',
    sections: [
      ['MemoryOptions', '`memory(options)`'],
      ['SqliteOptions', '`sqlite(file, options)`'],
      ['PostgresOptions', '`postgres(url, options)`'],
      ['NatsOptions', '`nats(options)`'],
      ['TaskMirrorOptions', '`fromTaskStore(taskStore, options)`'],
    ],
  },
  {
    path: 'options/webhooks.md',
    title: 'Options of receivers and cards',
    opening:
      'Every option of `parley-a2a/push` and `parley-a2a/cards`. [Receiving webhooks](../guides/receiving-webhooks.md) and [Cards](../operations/cards.md) explain how to use them.',
    sections: [
      ['PushReceiverOptions', '`pushReceiver(options)`'],
      ['VerifyOptions', '`verifyPush(request, options)`'],
      ['TrustSettings', '`A2AClient.connect(url, { trust })`, `verifyCard(card, trust)`'],
      ['GenerateCardOptions', '`generateAgentCard(agent, options)`'],
      ['ListAgentsOptions', '`listAgents(host, options)`'],
    ],
  },
  {
    path: 'options/testing.md',
    title: 'Options of the test kit',
    opening: 'Every option of `parley-a2a/testing`. [Testing](../guides/testing.md) explains how to use them.',
    sections: [
      ['TestAgentOptions', '`testAgent(agent, options)`'],
      ['TestClockOptions', '`new TestClock(options)`'],
      ['ContractOptions', '`storeContract(runner, openStore, options)` and `busContract(runner, openBus, options)`'],
      ['ClusterClientsOptions', '`checkCluster(options)`, `runClusterClients(options)`'],
      ['CheckLogOptions', '`checkClusterLog(read, options)`'],
      ['RecordedOptions', '`recordedClient(url, options)`'],
    ],
  },
  {
    path: 'options/extending.md',
    title: 'Options for bindings, dialects and other frameworks',
    opening:
      'Every option of `parley-a2a/ports`, `parley-a2a/dialects` and `parley-a2a/compat`. [Extending Parley](../guides/extending.md), [Dialects](../dialects.md) and [Names of other frameworks](../protocol/compat.md) explain how to use them.',
    sections: [
      ['DialectDefinition', '`new A2AServer({ dialects })`, `new A2AClient(url, { dialects })`'],
      ['BindingOptions', '`serve(options)` of a `ServerBinding`'],
      ['BindingCallerOptions', '`open(options)` of a `ClientBinding`'],
      ['BindingCallOptions', 'Each call of such a binding'],
      ['BindingCallerLimits', '`limits` of such a binding'],
      ['EventTextsOptions', '`new EventTexts(events, options)`'],
      ['LiveStreamOptions', '`new LiveStream(options)`'],
      ['AgentCardOptions', '`generateAgentCard(agent, options)` of `parley-a2a/compat`'],
      ['AsToolOptions', '`client.asTool(options)` of `parley-a2a/compat`'],
      ['CogitatorRunOptions', '`cogitator.run(agent, options)`'],
    ],
  },
];
