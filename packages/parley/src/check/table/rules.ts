/**
 * The rules of the reference that a server can break: id, level, versions, bindings, section and text. Written by
 * `npm run check:rules` from docs/reference/rules.json; a test compares both.
 */
export const RULE_LINES = `card.well-known | MUST | 1.0 0.3 | any | v1-agent-card 1 | \`GET /.well-known/agent-card.json\` on the host answers 200 with the card as \`application/json\`; no version header is needed.
card.required-members | MUST | 1.0 | any | v1-agent-card 2 | The card has all REQUIRED members, its required lists are not empty, and every interface has \`url\`, \`protocolBinding\` and \`protocolVersion\`.
card.declares-all | MUST | 1.0 | any | v1-operations 17 | Every binding and version that the server answers is declared as an interface.
card.truthful | MUST | 1.0 | any | v1-agent-card 3 | Each declared interface really answers at its URL in the declared binding and version.
card.pure-10 | OURS | 1.0 | any | v1-agent-card 2 | The pure 1.0 card has no 0.3 member (\`url\`, \`preferredTransport\`, \`additionalInterfaces\`, \`security\`, \`protocolVersion\`, …) and passes a closed schema.
card.cache-control | SHOULD | 1.0 | any | v1-agent-card 4 | The card reply has \`Cache-Control\` with \`max-age\`.
card.etag | SHOULD | 1.0 | any | v1-agent-card 4 | The card reply has an \`ETag\` that changes when the card changes.
card.not-modified | SHOULD | 1.0 | any | v1-agent-card 4 | \`If-None-Match\` with the current ETag is answered 304 without a body.
card.negotiate | OURS | 1.0 0.3 | any | mapping One well-known path | A card request with \`A2A-Version: 1.0\` gets the pure 1.0 card, one with \`0.3\` the pure 0.3 card.
card.default-shape | OURS | 1.0 0.3 | any | design Addresses | A card request without a version gets the shape of the \`card\` setting, \`merged\` if not set.
card.merged-members | OURS | 1.0 0.3 | any | design Addresses | The merged card has the members of both versions, 1.0 interfaces first.
card.merged-schemes | OURS | 1.0 0.3 | any | mapping One well-known path | In the merged card every security scheme carries the 0.3 form and the 1.0 form, with one OAuth flow.
card.merged-unsigned | OURS | 1.0 0.3 | any | mapping One well-known path | The merged card has no \`signatures\`; with signing on, a request without a version gets the pure 1.0 card.
card.vary | OURS | 1.0 0.3 | any | mapping One well-known path | Card replies carry \`Vary: A2A-Version\` and each shape has its own ETag.
card.per-agent | OURS | 1.0 0.3 | any | design Addresses | Each agent has its own card below \`/a2a/agents/{name}/\`.
card.declares-resume | OURS | 1.0 0.3 | any | design Resuming a stream | Every card lists the extension \`urn:parley:ext:resume:v1\`, not required.
card.seed-paths | OURS | 1.0 0.3 | any | design Addresses | \`/.well-known/agent-card\` and \`/.well-known/agent.json\` also answer with the card.
card.scheme-one-member | MUST | 1.0 | any | v1-agent-card 5 | Each security scheme of a 1.0 card has exactly one scheme member.
card.requirements-or-and | MUST | 1.0 | any | v1-agent-card 5 | One satisfied element of \`securityRequirements\` is enough; inside an element every named scheme is needed.
card.sign-header | MUST | 1.0 | any | v1-agent-card 6.1 | The protected header of a card signature has \`alg\` and \`kid\`.
card.sign-payload | MUST | 1.0 | any | v1-agent-card 6.2 | The signed payload is RFC 8785 canonical JSON without \`signatures\`; it keeps REQUIRED members and explicitly set optional ones and drops other members that hold their default.
card.sign-vector | OURS | 1.0 | any | v1-agent-card 6.5 | The test vector gives the same canonical bytes and the same signature.
card.extended-off | MUST | 1.0 | any | v1-operations 3 | Without \`capabilities.extendedAgentCard\` the operation gives UnsupportedOperationError.
card.extended-not-configured | MUST | 1.0 | any | v1-operations 3 | With the flag on and no extended card configured it gives ExtendedAgentCardNotConfiguredError.
card.extended-auth | MUST | 1.0 0.3 | any | v1-operations 11 | The extended card is refused (401 / UNAUTHENTICATED) without valid credentials.
card.extended-private | SHOULD | 1.0 | any | v1-agent-card 4 | The extended card is sent with caching headers that keep it out of shared caches.
version.missing-is-03 | MUST | 1.0 0.3 | any | v1-operations 14 | A request without a version, or with an empty one, is a 0.3 request.
version.unsupported | MUST | 1.0 | any | v1-operations 14 | A version that this interface does not offer, or that is not of the form digits, dot, digits, gives VersionNotSupportedError.
version.semantics | MUST | 1.0 0.3 | any | v1-operations 14 | The reply has the shape and the behaviour of the requested version.
version.patch-ignored | MUST | 1.0 | any | v1-operations 14 | \`1.0.1\` is treated as \`1.0\`.
version.no-patch | SHOULD | 1.0 | any | v1-operations 14 | No patch number is written in \`A2A-Version\` or in the card's interfaces.
version.query-parameter | MAY | 1.0 | jsonrpc rest | v1-bindings 3 | The version may come as query parameter \`A2A-Version\` and is honoured like the header, which wins if both are there.
version.header-case | MUST | 1.0 | jsonrpc rest | v1-bindings 3 | Service parameter names are read case-insensitively.
version.grpc-metadata | MUST | 1.0 | grpc | v1-bindings 7 | Version and extensions travel as metadata keys \`a2a-version\` and \`a2a-extensions\`.
version.error-shape | OURS | 1.0 0.3 | jsonrpc rest | mapping Server, per request | VersionNotSupportedError has the shape of the newest version spoken and names the supported versions.
version.detect-slash | OURS | 0.3 | jsonrpc | design Addresses | Without a version header, and with \`A2A-Version: 0.3\` or \`0.3.0\`, a lower-case slash method is served as 0.3.
version.detect-draft | OURS | 1.0 | jsonrpc | design Addresses | Without a header a PascalCase method with role \`user\` or \`agent\` is served as the 1.0 draft.
version.detect-lenient | OURS | 1.0 | jsonrpc | design Addresses | Without a header a PascalCase method with \`ROLE_*\` is served as 1.0 when the lenient setting is on, and is a well-formed error when it is off.
version.header-over-method | OURS | 1.0 0.3 | jsonrpc | mapping Server, per request | With a header, a method name of the other version gives -32601.
version.rest-prefix | OURS | 1.0 0.3 | rest | mapping Server, per request | Without a header a REST path below \`/v1/\` is 0.3; an unprefixed one is VersionNotSupportedError, or 1.0 when lenient.
version.jaf | OURS | 0.3 | jsonrpc | design Addresses | The JAF dialect is spoken only on a mount pinned to it or when \`X-A2A-Version\` or \`X-A2A-Client\` asks for it.
extension.inactive | MUST | 1.0 | any | v1-operations 14 | An extension that the request does not ask for has no effect on it (\`Last-Event-ID\` and \`Idempotency-Key\` ask for ours).
extension.list-syntax | SHOULD | 1.0 | jsonrpc rest | v1-bindings 3 | \`A2A-Extensions\` is a comma-separated list; spaces are trimmed and repeated headers are joined.
extension.unknown-ignored | SHOULD | 1.0 | any | v1-operations 14 | Unknown requested extensions are ignored.
extension.echo | SHOULD | 1.0 | any | v1-operations 14 | The reply lists exactly the activated extensions in \`A2A-Extensions\`.
extension.required | MUST | 1.0 | any | v1-operations 3 | A send that does not name a required extension gives ExtensionSupportRequiredError.
extension.exact-version | MUST | 1.0 | any | v1-operations 14 | Another version of an extension URI is never activated instead.
extension.no-core-members | MUST | 1.0 | any | v1-operations 14 | Extension data is only in \`metadata\`; core objects get no extra members or enum values.
send.wrapped | MUST | 1.0 | any | v1-bindings 4.2 | The send result is an object with exactly one of \`task\` and \`message\`, in every binding.
send.blocking-default | MUST | 1.0 | any | v1-operations 4 | With \`returnImmediately\` unset or false the reply comes when the task is terminal or interrupted, with the newest status and all artifacts.
send.return-immediately | MUST | 1.0 | any | v1-operations 4 | With \`returnImmediately: true\` the reply comes as soon as the task exists, and the work goes on.
send.disconnect | OURS | 1.0 0.3 | any | design Runs | A client that goes away does not stop, fail or slow the task.
send.task-id | MUST | 1.0 0.3 | any | v1-operations 4 | A new task gets a unique id made by the server, returned in the reply.
send.unknown-task | MUST | 1.0 0.3 | any | v1-operations 4 | A message with an unknown \`taskId\` gives TaskNotFoundError and creates nothing.
send.terminal-task | MUST | 1.0 0.3 | any | v1-operations 4 | A message, streaming or not, to a task in any of the four terminal states gives UnsupportedOperationError.
send.missing-message | MUST | 1.0 0.3 | any | v1-operations 4 | A send without \`message\`, without \`messageId\`, with no parts or without a valid role is a validation error.
send.media-type | MUST | 1.0 | any | v1-operations 4 | A part whose \`mediaType\` no input mode covers gives ContentTypeNotSupportedError.
send.media-type-absent | OURS | 1.0 | any | v1-operations 4 | A part without \`mediaType\` is not refused; published patterns such as \`text/*\` match.
send.output-modes | SHOULD | 1.0 0.3 | any | v1-data-model Requests and responses | \`acceptedOutputModes\` reaches the agent.
send.inline-push | MUST | 1.0 0.3 | any | v1-operations 4 | A push config inside the send is registered for the resulting task before its first event.
send.inline-push-off | OURS | 1.0 0.3 | any | v1-operations 3 | A push config inside the send gives PushNotificationNotSupportedError when push is off.
send.message-reply | OURS | 1.0 0.3 | any | design Runs | An agent that replies before anything made a task gives a bare Message and leaves no task behind.
send.task-at-first-output | OURS | 1.0 0.3 | any | design Runs | The task exists from the first output, \`status\`, \`ask\`, \`call\` or \`step\` of the run.
send.task-at-once | OURS | 1.0 0.3 | any | design Runs | \`returnImmediately\`, an inline push config and a follow-up message make the task at once.
send.reply-window | OURS | 1.0 0.3 | any | design Runs | A run that has produced nothing after \`replyWindow\` (100 ms) becomes a task.
send.late-reply | OURS | 1.0 0.3 | any | design Runs | A \`reply\` after the task exists completes the task with that status message.
send.first-task | OURS | 1.0 0.3 | any | design Runs | The first Task shows SUBMITTED with the user's message in its history; WORKING is an event of its own.
send.queued | OURS | 1.0 0.3 | any | design Runs | A message to a working task is logged at once and queued up to a bound.
send.queued-next-turn | OURS | 1.0 0.3 | any | design Runs | Queued messages that the run has not read start the next turn when the turn ends interrupted.
send.blocking-follow-up | OURS | 1.0 0.3 | any | design Runs | A blocking follow-up returns at the first terminal or interrupted status after its message was consumed.
send.timeout | OURS | 1.0 0.3 | any | design Runs | A blocking send that hits the request timeout gets the current Task.
send.skill | OURS | 1.0 0.3 | any | design Runs | The wanted skill is \`message.metadata.skillId\`; without it the only skill, or none.
send.agent-error | OURS | 1.0 0.3 | any | design Writing an agent | An error thrown by the agent fails the task with a generic text and a reference id; the inner text is only logged.
send.reject | OURS | 1.0 0.3 | any | design Writing an agent | \`throw reject(why)\` ends the task as REJECTED with that message.
idempotency.message-id | OURS | 1.0 0.3 | any | design Idempotent send | Two sends with the same \`messageId\` are two sends.
idempotency.joins | OURS | 1.0 0.3 | jsonrpc rest | design Idempotent send | A send with a known \`Idempotency-Key\` and the same body returns the task or stored result of the first one, or joins its live stream, and starts no run.
idempotency.other-body-status | OURS | 1.0 0.3 | jsonrpc rest | design Idempotent send | The same key with a different body is invalid params; over HTTP+JSON with status 422.
idempotency.scope | OURS | 1.0 0.3 | jsonrpc rest | design Idempotent send | Keys are separate for each tenant, subject and agent.
idempotency.durable | OURS | 1.0 0.3 | jsonrpc rest | design Idempotent send | The key is stored in the commit that creates the task and lives 24 hours, also across a restart.
stream.first-frame-task | MUST | 1.0 | any | v1-operations 5 | A task stream begins with the \`task\`, never with an update.
stream.message-only | MUST | 1.0 | any | v1-operations 5 | A direct reply is a stream of exactly one \`message\`, then it closes.
stream.ends-terminal | MUST | 1.0 | any | v1-operations 5 | A stream, sent or subscribed, closes once the task is terminal, and its last status shows that state.
stream.order | MUST | 1.0 0.3 | any | v1-operations 5 | Events arrive in the order in which they were generated; the state never goes back to SUBMITTED.
stream.broadcast | MUST | 1.0 0.3 | any | v1-operations 6 | Every open stream of a task gets every event, with equal payloads in the same order.
stream.close-one | MUST | 1.0 0.3 | any | v1-operations 6 | Closing one stream disturbs neither the task nor the other streams.
stream.capability-off | MUST | 1.0 0.3 | any | v1-operations 3 | Both streaming operations give UnsupportedOperationError when the card does not declare streaming.
stream.error-before-accept | OURS | 1.0 | jsonrpc rest | v1-operations 5 | An error known before the first event is a plain JSON error where the request accepts JSON, and a single SSE event where its Accept names text/event-stream and not JSON.
stream.one-payload | MUST | 1.0 | any | v1-data-model Streaming events | Each event has exactly one of \`task\`, \`message\`, \`statusUpdate\`, \`artifactUpdate\`, and no \`final\` or \`kind\` anywhere.
stream.update-ids | MUST | 1.0 0.3 | any | v1-data-model Validity rules | Status and artifact updates carry \`taskId\` and \`contextId\`.
stream.nothing-after-terminal | MUST | 1.0 0.3 | any | v1-operations 12 | What an agent emits after the terminal state reaches no stream, no webhook and no stored task.
stream.input-required-closes | OURS | 1.0 0.3 | any | design Runs | A SendStreamingMessage stream closes after INPUT_REQUIRED.
stream.auth-required-open | SHOULD | 1.0 | any | v1-operations 5 | A stream stays open in AUTH_REQUIRED.
stream.chunks | MUST | 1.0 0.3 | any | v1-operations 5 | The first chunk of an artifact has \`append\` false or absent (which replaces a known id), later ones \`append: true\`, the last one \`lastChunk: true\`; together they are the artifact of GetTask.
stream.text-joined | OURS | 1.0 0.3 | any | design The log | GetTask shows the chunks of a streamed string as one text part, also in mid-stream; parts written as separate stay separate.
stream.commit-first | OURS | 1.0 0.3 | any | design The log | No stream, reply or webhook shows an event that is not yet committed.
stream.slow-reader | OURS | 1.0 0.3 | any | design The log | A slow reader costs bounded memory, loses nothing and delays nobody else.
stream.backpressure | OURS | 1.0 0.3 | any | design The log | An agent that writes faster than the store commits is made to wait.
stream.limit | OURS | 1.0 0.3 | any | design Runs | A stream limit ends the stream with a resumable close and leaves the task running.
stream.sse-type | MUST | 1.0 0.3 | jsonrpc rest | v1-bindings 4.4 | A stream is HTTP 200 with \`Content-Type: text/event-stream\`.
stream.sse-one-line | OURS | 1.0 0.3 | jsonrpc rest | v1-bindings 6 | Each event is one \`data: \` line of UTF-8 JSON, with one space, ended by an empty line.
stream.sse-keep-alive | OURS | 1.0 0.3 | jsonrpc rest | v1-bindings 6 | An idle stream carries comment lines at least every 30 seconds and is not buffered by proxies.
stream.grpc-error | MUST | 1.0 | grpc | v1-bindings 7 | A gRPC stream reports errors as its status, also before the first message.
subscribe.first-task | MUST | 1.0 | any | v1-operations 6 | The first event is the current \`task\`.
subscribe.atomic | MUST | 1.0 | any | v1-operations 6 | Between the snapshot and the first update no event is lost or repeated.
subscribe.terminal | MUST | 1.0 | any | v1-operations 6 | Subscribing to a terminal task gives UnsupportedOperationError.
subscribe.unknown | MUST | 1.0 | any | v1-operations 6 | Subscribing to an unknown or foreign task gives TaskNotFoundError.
subscribe.interrupted | MUST | 1.0 | any | v1-operations 6 | Interrupted tasks can be subscribed to.
subscribe.stays-open | OURS | 1.0 | any | design Runs | The stream stays open through INPUT_REQUIRED and AUTH_REQUIRED until the task is terminal.
subscribe.verbs | OURS | 1.0 0.3 | rest | v1-bindings 5.2 | Subscribe works by \`POST\` and by \`GET\`.
resume.frame-id | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | Every frame carries \`id:\` with the seq of its event; ids increase and may have gaps.
resume.snapshot-id | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | The id of a snapshot frame is the last seq that it includes.
resume.last-event-id | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | Subscribe with \`Last-Event-ID: n\` gives exactly the events after n and no snapshot.
resume.metadata | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | The number in the request's metadata under the extension's URI works like the header.
resume.gap | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | An n that is malformed, ahead of the log or purged gives the Task first, and the Task of that stream says so in its metadata under the extension: gap (too-old, ahead, malformed) and asked.
resume.terminal-replay | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | On a terminal task with n below the last seq the rest is replayed and the stream closes.
resume.terminal-end | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | On a terminal task with n at the last seq a REST GET answers 204 and every other way gets the protocol's error.
resume.any-node | OURS | 1.0 0.3 | jsonrpc rest | design Resuming a stream | A stream resumes from the committed log on another node, and after a crash, without loss or repeat.
resume.one-writer | OURS | 1.0 0.3 | any | design The log | A commit with a stale seq or lease number is refused and changes nothing.
resume.recovery | OURS | 1.0 0.3 | any | design Runs | After a restart or a lost lease a task is resumed if its agent can, otherwise failed with a reason; none stays WORKING for ever.
resume.ask-lost | OURS | 1.0 0.3 | any | design Runs | An \`ask\` lost in a crash fails the task with the reason \`run-lost\` when the answer comes; \`inputRequired\` survives.
resume.steps | OURS | 1.0 0.3 | any | design Runs | On resume finished steps are not run again and their output is not repeated.
get.bare | MUST | 1.0 | any | v1-operations 7 | GetTask returns the Task without a wrapper, with status and artifacts.
get.unknown | MUST | 1.0 0.3 | any | v1-operations 7 | GetTask of an unknown id gives TaskNotFoundError.
get.cross-binding | MUST | 1.0 0.3 | any | v1-operations 17 | A task made through one binding or version is the same task through every other.
list.scope | MUST | 1.0 | any | v1-operations 7 | ListTasks returns only tasks that the caller may see, with or without filters.
list.order | MUST | 1.0 | any | v1-operations 7 | Tasks come by status timestamp, newest first.
list.order-stable | OURS | 1.0 | any | design Runs | Equal timestamps are ordered by id, and an artifact-only change does not move a task.
list.cursor | MUST | 1.0 | any | v1-operations 7 | Following \`nextPageToken\` visits every matching task once.
list.page-size | MUST | 1.0 | any | v1-operations 7 | Without \`pageSize\` at most 50 tasks are returned; a \`pageSize\` outside 1..100 is a validation error, not clamped.
list.next-token | MUST | 1.0 | any | v1-operations 7 | \`nextPageToken\` is always present and \`""\` on the last page.
list.sizes | MUST | 1.0 | any | v1-operations 7 | \`tasks\`, \`pageSize\` and \`totalSize\` are always present; \`totalSize\` counts matches before paging.
list.artifacts-absent | MUST | 1.0 | any | v1-operations 7 | Without \`includeArtifacts\` no listed task has an \`artifacts\` member.
list.artifacts-present | SHOULD | 1.0 | any | v1-operations 7 | With \`includeArtifacts: true\` listed tasks have their real artifacts.
list.filters | MUST | 1.0 | any | v1-operations 7 | \`contextId\`, \`status\` and \`statusTimestampAfter\` filter, combined with AND; UNSPECIFIED filters nothing and an unknown state is a validation error.
list.timestamp-inclusive | MUST | 1.0 | any | v1-operations 7 | \`statusTimestampAfter\` includes tasks with exactly that timestamp.
list.bad-token | OURS | 1.0 | any | v1-operations 7 | A malformed or foreign \`pageToken\` is a validation error.
list.anonymous | OURS | 1.0 | any | design Runs | Anonymous callers may get a task by id but not list, unless \`anonymous\` is \`shared\`.
cancel.returns | MUST | 1.0 0.3 | any | v1-operations 8 | CancelTask returns the updated Task.
cancel.terminal | MUST | 1.0 0.3 | any | v1-operations 8 | Cancelling a task in any terminal state, CANCELED included, gives TaskNotCancelableError.
cancel.unknown | MUST | 1.0 0.3 | any | v1-operations 8 | Cancelling an unknown task gives TaskNotFoundError.
cancel.states | OURS | 1.0 0.3 | any | v1-operations 8 | Submitted, working and interrupted tasks can be cancelled.
cancel.at-once | OURS | 1.0 0.3 | any | design Runs | The agent's signal is aborted and CANCELED is committed at once; later output is dropped.
cancel.on-cancel | OURS | 1.0 0.3 | any | design Runs | \`onCancel\` may add artifacts for up to 2 seconds before CANCELED is committed.
cancel.spreads | OURS | 1.0 0.3 | any | v1-operations 8 | Open streams get CANCELED and close, blocked sends return, webhooks fire.
push.capability-off | MUST | 1.0 0.3 | any | v1-operations 3 | Each of the four config operations gives PushNotificationNotSupportedError when push is off, also for unknown tasks.
push.create | MUST | 1.0 | any | v1-operations 9 | Create takes the flat config as its whole request and returns it with \`id\` and \`taskId\`; an absent id is made by the server.
push.create-client-id | OURS | 1.0 | any | v1-operations 9 | A client's config id is kept; creating it again replaces the config.
push.create-invalid | MUST | 1.0 0.3 | any | v1-data-model Validity rules | A config without \`url\`, or with \`authentication\` without a scheme, is a validation error.
push.unknown-task | MUST | 1.0 0.3 | any | v1-operations 9 | Every config operation on an unknown task gives TaskNotFoundError.
push.get | MUST | 1.0 | any | v1-operations 9 | Get returns the webhook URL and settings; an unknown config gives TaskNotFoundError.
push.list | MUST | 1.0 | any | v1-operations 9 | List returns all active configs of the task.
push.delete | MUST | 1.0 | any | v1-operations 9 | A deleted config is gone and gets nothing more; deleting it again succeeds.
push.persist | MUST | 1.0 0.3 | any | v1-operations 9 | A config lasts until the task completes or it is deleted, also across a restart.
push.finished-task | OURS | 1.0 | any | v1-operations 9 | Config operations work on finished tasks.
push.payload | MUST | 1.0 | any | v1-operations 10 | The webhook gets a POST of \`application/a2a+json\`: one StreamResponse with exactly one member and no JSON-RPC envelope, whatever binding the task came through.
push.authorization | MUST | 1.0 0.3 | any | v1-operations 10 | \`Authorization\` is the configured scheme, one space and the credentials; it is absent when there are none.
push.token | OURS | 1.0 0.3 | any | v1-operations 10 | A configured \`token\` is sent as \`X-A2A-Notification-Token\`.
push.attempt | MUST | 1.0 | any | v1-operations 10 | Delivery is attempted at least once for every webhook of the task.
push.retry | SHOULD | 1.0 | any | v1-operations 10 | Failed deliveries are retried with growing delays; one attempt times out after 10 to 30 seconds.
push.order | OURS | 1.0 0.3 | any | v1-operations 10 | Each webhook gets its events in log order, retries included.
push.isolated | OURS | 1.0 0.3 | any | v1-operations 10 | A slow or dead webhook delays neither the task nor other webhooks.
push.independent | MUST | 1.0 | any | v1-operations 10 | Push works with and without open streams and in both blocking modes.
push.events-default | OURS | 1.0 0.3 | any | v1-operations 10 | By default every status change and every finished artifact is delivered (an artifact as one update with all of it); with events: all, the events that a stream would carry.
push.secrets-hidden | OURS | 1.0 0.3 | any | v1-operations 9 | No answer shows a config's credentials or token, the answer to its creation included.
push.ssrf | SHOULD | 1.0 0.3 | any | v1-operations 10 | Webhook URLs that point to loopback, private or link-local addresses are refused unless allowed by a setting.
push.ssrf-connect | OURS | 1.0 0.3 | any | v1-operations 10 | The resolved address is checked at connect time and redirects do not escape the check.
push.dialect | OURS | 1.0 0.3 | any | design The log | A webhook gets the form of the version its config was registered in.
history.limit | MUST | 1.0 0.3 | any | v1-operations 4 | With \`historyLength\` n the history is at most the n most recent messages, in send, get and list.
history.zero | SHOULD | 1.0 | any | v1-operations 4 | With \`historyLength\` 0 the \`history\` member is absent.
history.negative | MUST | 1.0 | any | v1-operations 4 | A negative \`historyLength\` is a validation error.
history.order | SHOULD | 1.0 0.3 | any | v1-operations 4 | History is chronological and each entry equals the message that was exchanged.
history.user | OURS | 1.0 0.3 | any | design Runs | A user message is in the history as soon as it was received.
history.agent | OURS | 1.0 0.3 | any | design Runs | An agent's status message enters the history when the next status replaces it; the current one is only in \`status.message\`.
context.returned | MUST | 1.0 0.3 | any | v1-operations 4 | A context id made by the server is in the returned Task or Message.
context.accepted | OURS | 1.0 0.3 | any | design Runs | An unknown context id of a client is accepted and kept.
context.not-replaced | MUST | 1.0 | any | v1-operations 4 | A context id that cannot be accepted is refused with an error, never replaced.
context.foreign-unknown | OURS | 1.0 0.3 | any | design Runs | A context id that belongs to another caller is as unknown as any other: the message begins a context of its own caller under that id.
context.mismatch | MUST | 1.0 | any | v1-operations 4 | A message whose context id is not that of its task is refused (invalid params).
context.inferred | MUST | 1.0 | any | v1-operations 4 | A message with only a task id belongs to the context of that task.
context.new-task | MUST | 1.0 0.3 | any | v1-operations 4 | A message with only a context id starts a new task in that context.
context.reference-ids | SHOULD | 1.0 0.3 | any | v1-operations 4 | \`referenceTaskIds\` reach the agent.
context.agent-messages | MUST | 1.0 | any | v1-data-model Validity rules | Agent messages carry \`contextId\`, and \`taskId\` when there is a task.
context.uuidv7 | OURS | 1.0 0.3 | any | design Runs | Ids made by the server are UUIDv7.
parts.exactly-one | MUST | 1.0 | any | v1-data-model Core objects | A part has exactly one of \`text\`, \`raw\`, \`url\`, \`data\`; none or two is a validation error.
parts.values | MUST | 1.0 | any | v1-data-model JSON encoding rules | \`data\` may be any JSON value; \`{"text": ""}\` and \`{"data": null}\` are valid parts and survive a round trip.
parts.raw | MUST | 1.0 | any | v1-data-model JSON encoding rules | \`raw\` is written as padded standard base64 and read in standard or URL-safe form, padded or not; anything else is a validation error.
parts.attributes | MUST | 1.0 | any | v1-data-model Core objects | \`mediaType\`, \`filename\` and \`metadata\` are kept on every kind of part.
parts.artifact | MUST | 1.0 | any | v1-data-model Validity rules | An artifact has an id unique in its task and at least one part.
errors.code-message | MUST | 1.0 | any | v1-operations 2 | Every error has a machine code and a human message, and every detail object has \`@type\`.
errors.info | MUST | 1.0 | rest grpc | v1-bindings 5.4 | A2A errors carry a \`google.rpc.ErrorInfo\` with the right \`reason\` and domain \`a2a-protocol.org\`.
errors.info-jsonrpc | SHOULD | 1.0 | jsonrpc | v1-bindings 4.3 | A2A errors carry the same ErrorInfo in \`error.data\`.
errors.jsonrpc-codes | MUST | 1.0 | jsonrpc | v1-bindings 2 | The nine A2A errors have codes -32001 to -32009 as tabled.
errors.http-status | MUST | 1.0 | rest | v1-bindings 2 | The nine A2A errors have the HTTP status of the 1.0.1 table.
errors.grpc-status | MUST | 1.0 | grpc | v1-bindings 2 | The nine A2A errors have the gRPC status of the 1.0.1 table.
errors.profile-100 | OURS | 1.0 | rest grpc | v1-bindings 2 | A setting switches to the 1.0.0 status values.
errors.fields | SHOULD | 1.0 | any | v1-operations 2 | A validation error names the failing fields in \`google.rpc.BadRequest\`.
errors.validate-first | MUST | 1.0 0.3 | any | v1-operations 2 | Invalid input has no effect: no task, no config, no event.
errors.challenge | SHOULD | 1.0 0.3 | any | v1-operations 2 | 401 replies carry \`WWW-Authenticate\`.
errors.agent-response | MUST | 1.0 | any | v1-operations 2 | An agent result that breaks the protocol gives InvalidAgentResponseError or a failed task, never an invalid reply.
errors.equivalent | MUST | 1.0 0.3 | any | v1-operations 17 | The same mistake gives the same A2A error in every binding.
json.camel | MUST | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | Written member names are camelCase.
json.snake-in | OURS | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | snake_case member names are read too.
json.enums | MUST | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | Enums are written as full proto names.
json.enums-in | OURS | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | Enum integers are read; an unknown name in a request is a validation error.
json.timestamps | MUST | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | Timestamps are ISO 8601 in UTC with \`Z\`.
json.unknown-ignored | SHOULD | 1.0 0.3 | jsonrpc rest | v1-data-model JSON encoding rules | Unknown members are ignored.
json.nothing-extra | OURS | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | Replies have no member outside the schema.
json.null-unset | MUST | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | \`null\` means unset, except for \`data\`.
json.presence | MUST | 1.0 | jsonrpc rest | v1-data-model JSON encoding rules | REQUIRED members and explicitly set optional ones are written even when they hold the default.
json.metadata | MUST | 1.0 0.3 | any | v1-data-model JSON encoding rules | \`metadata\` keeps any JSON values unchanged.
rest.routes | MUST | 1.0 | rest | v1-bindings 5.2 | The eleven operations answer at their verbs and paths, without a \`/v1\` prefix, with bare bodies and no envelope.
rest.query | MUST | 1.0 | rest | v1-bindings 5.3 | GET and DELETE parameters travel as camelCase query parameters, encoded by type.
rest.query-bad | MUST | 1.0 | rest | v1-bindings 5.3 | A malformed query value is 400 with field details; unknown parameters are ignored.
rest.type-in | OURS | 1.0 | rest | v1-bindings 5.1 | Requests are read as \`application/json\` and \`application/a2a+json\`, parameters such as charset ignored.
rest.type-out | SHOULD | 1.0 | rest | v1-bindings 5.1 | A client that names \`application/a2a+json\` gets it.
rest.type-out-plain | OURS | 1.0 | rest | v1-bindings 5.1 | A client that does not name it (also with \`*/*\`) gets \`application/json\`, errors included.
rest.type-other | MUST | 1.0 | rest | v1-bindings 5.1 | Another request content type gives ContentTypeNotSupportedError.
rest.success | OURS | 1.0 | rest | v1-bindings 5.1 | Success is 200, create and delete included; delete has the body \`{}\`.
rest.error-body | MUST | 1.0 | rest | v1-bindings 5.4 | Errors are \`{"error": {code, status, message, details}}\` with \`code\` the HTTP status and \`status\` the gRPC name.
rest.actions | MUST | 1.0 | rest | v1-bindings 5.2 | \`:cancel\` and \`:subscribe\` are not taken for part of the task id; \`%3A\` inside an id works.
rest.empty-body | OURS | 1.0 0.3 | rest | v1-bindings 5.2 | Cancel and subscribe accept no body, an empty one, \`{}\` and \`null\`.
rest.unknown-route | OURS | 1.0 | rest | v1-bindings 2 | An unknown route is 404 and a wrong verb 405, both with the error body.
rest.slash | OURS | 1.0 0.3 | jsonrpc rest | design Addresses | Mounts answer with and without a trailing slash, without redirects.
rest.sse | MUST | 1.0 | rest | v1-bindings 5.5 | Each event's data is a bare StreamResponse.
rest.sse-error | OURS | 1.0 | rest | v1-bindings 5.5 | A failure after the first event is a last \`event: error\` with the error body.
jsonrpc.content-type | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.1 | Requests are POSTs of \`application/json\`, and so are unary replies.
jsonrpc.methods | MUST | 1.0 | jsonrpc | v1-bindings 4.2 | Method names are the PascalCase operation names; an unknown one gives -32601.
jsonrpc.envelope | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | A wrong \`jsonrpc\`, a missing \`method\` or an \`id\` of a wrong type gives -32600.
jsonrpc.parse | MUST | 1.0 0.3 | jsonrpc | v1-bindings 2 | Text that is not JSON gives -32700 with \`id\` null.
jsonrpc.params | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | Invalid params, arrays included, give -32602; GetExtendedAgentCard works without params.
jsonrpc.id | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | The reply repeats the \`id\` with its type.
jsonrpc.no-id | OURS | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | A request without \`id\` is answered with \`id\` null.
jsonrpc.batch | OURS | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | A batch array gives -32600.
jsonrpc.result-or-error | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.2 | A reply has \`result\` or \`error\`, never both; \`error\` has only \`code\`, \`message\`, \`data\`.
jsonrpc.data-array | MUST | 1.0 | jsonrpc | v1-bindings 4.3 | \`error.data\` is an array.
jsonrpc.http-status | OURS | 1.0 0.3 | jsonrpc | v1-bindings 4.1 | JSON-RPC errors travel with HTTP 200 (unparsable JSON may be 400); 401, 403, 404, 405, 413, 415, 429 and 503 keep their status.
jsonrpc.wrong-type | OURS | 1.0 | jsonrpc | v1-bindings 4.1 | A wrong content type is refused before parsing, with 415 and no JSON or with -32005.
jsonrpc.sse | MUST | 1.0 0.3 | jsonrpc | v1-bindings 4.4 | Each event is a whole JSON-RPC response with the request's \`id\`.
jsonrpc.sse-error | OURS | 1.0 0.3 | jsonrpc | v1-bindings 4.4 | A failure after the first event is a last event with \`error\`, without an \`event:\` line.
tenant.rest-prefix | MUST | 1.0 | rest | v1-bindings 5.2 | Every route also works below \`/{tenant}\`, percent-encoded.
tenant.rest-field | OURS | 1.0 | rest | v1-bindings 5.2 | Unprefixed routes take the tenant from the body or the query; a path tenant wins.
tenant.isolated | OURS | 1.0 | any | v1-operations 15 | Tasks, contexts, keys and push configs of one tenant are invisible to another.
tenant.unknown | OURS | 1.0 | any | v1-operations 15 | An unknown tenant is answered as not found.
tenant.fixed-routes | OURS | 1.0 | rest | design Addresses | Fixed routes win over tenant paths, and their names are refused as tenants.
security.authenticate | MUST | 1.0 0.3 | any | v1-operations 16 | Every operation is refused without valid credentials when the card requires them.
security.authorize | MUST | 1.0 0.3 | any | v1-operations 16 | Get, cancel, subscribe, push configs and follow-up messages check that the caller may use the task.
security.indistinguishable | SHOULD | 1.0 0.3 | any | v1-operations 2 | A foreign task is answered exactly like an unknown one.
security.owner | OURS | 1.0 0.3 | any | design Runs | Tasks, contexts, keys and push configs belong to (tenant, subject); anonymous is one subject.
security.same-schemes | MUST | 1.0 0.3 | any | v1-operations 17 | All bindings take the same credentials.
security.auth-required | MUST | 1.0 | any | v1-operations 12 | AUTH_REQUIRED is a task state with a status message that explains what is needed.
security.file-urls | MUST | 1.0 0.3 | any | v1-operations 16 | URLs in parts are checked against SSRF before any fetch.
security.limits | SHOULD | 1.0 0.3 | any | v1-operations 16 | Bodies beyond the size limit and callers beyond the rate limit are refused.
security.logs | MUST | 1.0 0.3 | any | v1-operations 16 | Logs hold no credentials, tokens or keys.
security.cors-off | OURS | 1.0 0.3 | jsonrpc rest | design Writing an agent | No CORS header is sent unless CORS is set.
v03.methods | MUST | 0.3 | jsonrpc | v03 2 | The slash method names work, with the params and results of the table.
v03.result-bare | MUST | 0.3 | jsonrpc | v03 2 | \`message/send\` returns a bare Task or Message told apart by \`kind\`.
v03.kind | MUST | 0.3 | jsonrpc | v03 3 | Written tasks, messages, events and parts carry \`kind\`, states and roles are lower-case; a request message without \`kind\` is read.
v03.file-parts | MUST | 0.3 | jsonrpc | v03 3 | A file part has \`bytes\` or \`uri\`, with \`mimeType\` and \`name\`.
v03.data-object | OURS | 0.3 | any | mapping 4 | Data that is not an object is wrapped under \`value\` with the marker, and unwrapped on the way back.
v03.context-id | MUST | 0.3 | jsonrpc | v03 3 | Every Task has a \`contextId\`.
v03.final-flag | MUST | 0.3 | jsonrpc | v03 3 | Every status update has the member \`final\`.
v03.final-value | OURS | 0.3 | any | design Runs | \`final\` is true for terminal states and input-required, false otherwise.
v03.stream | MUST | 0.3 | jsonrpc | v03 4 | Stream events are JSON-RPC responses whose \`result\` is the bare object.
v03.stream-first | SHOULD | 0.3 | any | v03 6 | A stream begins with a Task, or is one Message.
v03.blocking | MUST | 0.3 | any | v03 6 | \`blocking: true\` waits, \`blocking: false\` returns at once.
v03.blocking-absent-forms | OURS | 0.3 | jsonrpc rest | v03 6 | An absent \`blocking\` waits in the JSON types; in ProtoJSON a \`configuration\` without it returns at once, and no \`configuration\` waits.
v03.blocking-grpc | OURS | 0.3 | grpc | v03 6 | Over gRPC a false or absent \`blocking\` returns at once.
v03.history-member | OURS | 0.3 | jsonrpc rest | v03 6 | \`tasks/get\` with \`historyLength\` has a \`history\` member.
v03.error-codes | SHOULD | 0.3 | jsonrpc | v03 5 | The seven A2A errors have their codes.
v03.resubscribe | MUST | 0.3 | any | v03 6 | \`tasks/resubscribe\` delivers the later events of a running task; ours begins with the Task unless a position is given.
v03.stream-error | OURS | 0.3 | jsonrpc | v03 4 | An error before the first event of any JSON-RPC stream is a single event of an event stream.
v03.push-set | MUST | 0.3 | jsonrpc | v03 6 | \`set\` creates or updates and returns \`{taskId, pushNotificationConfig}\`.
v03.push-results | MUST | 0.3 | jsonrpc | v03 6 | \`get\` without a config id returns the first config, \`list\` an array (\`[]\` when there is none), \`delete\` \`null\`.
v03.push-body | OURS | 0.3 | any | mapping 8 | A webhook registered in 0.3 gets the bare object with \`kind\` as \`application/json\`.
v03.extended-card | MUST | 0.3 | any | v03 6 | The extended card works only when the card says so; otherwise -32007.
v03.card-members | MUST | 0.3 | any | v03 7 | The 0.3 card has its required members, \`protocolVersion\` \`0.3.0\`, a \`preferredTransport\` that is available at \`url\`, and all its transports in \`additionalInterfaces\`.
v03.card-security | MUST | 0.3 | any | mapping 9 | Schemes use \`type\`, requirements are scheme name to scopes.
v03.extensions | SHOULD | 0.3 | jsonrpc rest | v03 1 | \`X-A2A-Extensions\` is read and the activated ones are answered under the same name.
v03.no-list | OURS | 0.3 | any | v03 2 | Listing tasks is -32601 or 404.
v03.rest-routes | MUST | 0.3 | rest | v03 8 | The REST routes answer below \`/v1\`.
v03.rest-forms | OURS | 0.3 | rest | v03 8 | Requests are read in both JSON forms, camelCase and snake_case; the reply has the form of the request, a GET gets ProtoJSON.
v03.rest-wrapped | MUST | 0.3 | rest | v03 8 | \`message:send\` answers \`{"task"}\` or \`{"message"}\`, stream events are wrapped likewise.
v03.rest-cancelled | MUST | 0.3 | rest grpc | v03 9 | In ProtoJSON and gRPC the state is \`TASK_STATE_CANCELLED\` with two Ls.
v03.rest-errors-union | OURS | 0.3 | rest | v03 5 | REST errors have a fitting status and a body that all peers read: \`{"error": {code (HTTP), status, message, details}, "type", "code" (JSON-RPC), "message"}\`.
v03.rest-push-create | OURS | 0.3 | rest | v03 8 | Every listed form of the create body is read, and the path's task id wins.
v03.rest-card-root | OURS | 0.3 | rest | v03 8 | \`/v1/card\` also answers at the root of the host.
v03.round-trip | OURS | 1.0 0.3 | any | mapping 13 | What both versions can express survives translation there and back.`;
