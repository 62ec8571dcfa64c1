import { useServerInfo } from '../api/server-info.ts';
import { ErrorNote, LinkButton, Loading, Page, Panel } from '../design/components/index.ts';

/** The agents of this server. */
export function AgentsPage() {
  const { data, error, reload } = useServerInfo();
  return (
    <Page title="Agents">
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Loading what="the agents" />}
      {data?.agents.map((agent) => (
        <Panel key={agent.name} title={agent.name} actions={<LinkButton href={`/talk/${agent.name}`}>Talk</LinkButton>}>
          {agent.description}
        </Panel>
      ))}
    </Page>
  );
}
