import { A2AClient, type AgentCard, isA2AError, isTask, textOf } from 'parley-a2a';

const DEMO = 'http://127.0.0.1:4000';

async function main([url = DEMO, ...words]: readonly string[]): Promise<void> {
  const agent = await A2AClient.connect(url, {
    onReconnect: ({ attempt, delay }) => console.error(`\n(connection lost; attempt ${attempt} in ${delay} ms)`),
  });
  const card = await agent.agentCard();
  console.log(describe(card));
  console.log(`Called over ${agent.interface?.protocolBinding} ${agent.interface?.protocolVersion}\n`);

  const message = words.join(' ') || exampleOf(card);
  console.log(`> ${message}\n`);
  const stream = agent.sendMessageStream(message);
  for await (const text of stream.textStream) process.stdout.write(text);

  const answer = await stream.result; // a Task; or a Message, where the agent needs no task to answer
  if (!isTask(answer)) return console.log();
  const { status, artifacts } = answer;
  console.log(`\n${status.state}${status.message ? `: ${textOf(status.message)}` : ''}`);
  for (const { name, parts } of artifacts) {
    for (const { kind, filename = name, mediaType } of parts) {
      if (kind !== 'text') console.log(`- ${filename ?? 'without a name'} (${mediaType ?? kind})`);
    }
  }
}

/** What a person wants to know of an agent before talking to it. */
function describe({ name, version, description, provider, capabilities, skills }: AgentCard): string {
  const { streaming, pushNotifications, extensions } = capabilities;
  const can = [
    streaming && 'streaming',
    pushNotifications && 'push notifications',
    ...extensions.map(({ uri }) => uri),
  ];
  const lines = [
    `${name} ${version}${provider ? ` by ${provider.organization}` : ''}: ${description}`,
    `Can: ${can.filter(Boolean).join(', ') || 'answer'}`,
    ...skills.map((skill) => `- ${skill.name}: ${skill.description}`),
  ];
  return lines.join('\n');
}

/** What the agent itself proposes to be asked. */
function exampleOf({ skills }: AgentCard): string {
  const [first = 'Hello!'] = skills.flatMap(({ examples = [] }) => examples);
  return typeof first === 'string' ? first : first.input;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(isA2AError(error) ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
});
