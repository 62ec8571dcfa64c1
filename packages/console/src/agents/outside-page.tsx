import { useSearchParams } from 'wouter';
import { EmptyState, Page } from '../design/components/index.ts';
import { AgentView } from './agent-view.tsx';
import { OutsideForm, outsideUrl } from './outside-form.tsx';

/** An agent of another server, by the address in `?url=`. */
export default function OutsidePage() {
  const [search] = useSearchParams();
  const written = search.get('url') ?? '';
  const url = outsideUrl(written);
  if (url !== undefined) return <AgentView key={url} target={{ kind: 'outside', url }} name={new URL(url).host} />;
  return (
    <Page title="An outside agent">
      <OutsideForm initial={written} />
      <EmptyState title="Open an agent by its address">
        <p>The address of its host, of the agent, or of its card. This server asks it for you.</p>
      </EmptyState>
    </Page>
  );
}
