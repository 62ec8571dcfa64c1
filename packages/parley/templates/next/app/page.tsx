import { A2AClient } from 'parley-a2a';
import { server } from '../a2a.ts';
import { AskForm } from './ask-form.tsx';

export const dynamic = 'force-dynamic';

/** The agent's card, read on the server without a socket, and a form that talks to the agent from the browser. */
export default async function Page() {
  const agent = await A2AClient.connect('http://localhost', { fetch: callServer });
  const card = await agent.agentCard();
  return (
    <main>
      <h1>{card.name}</h1>
      <p>{card.description}</p>
      <ul>
        {card.skills.map((skill) => (
          <li key={skill.id}>
            <b>{skill.name}</b>: {skill.description}
          </li>
        ))}
      </ul>
      <AskForm />
      <p>
        <a href="/.well-known/agent-card.json">The whole card</a>
      </p>
    </main>
  );
}

function callServer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return server.fetch(new Request(input, init));
}
