import { useSearchParams } from 'wouter';
import { Page, Tabs } from '../design/components/index.ts';
import { AccessView } from './access/access-view.tsx';
import { CheckView } from './check/check-view.tsx';
import { CompareView } from './compare/compare-view.tsx';
import { TrafficView } from './traffic/traffic-view.tsx';

/** `/wire?view=compare&agent=NAME`: the traffic of this page, and tools that look at agents from outside. */
export default function WirePage() {
  const [search, setSearch] = useSearchParams();
  const agent = search.get('agent') ?? undefined;
  return (
    <Page title="Wire" lead="Everything that this page and your agents say to each other, as it was sent.">
      <Tabs
        label="Views of the wire"
        value={search.get('view') ?? 'traffic'}
        onChange={(view) => setSearch((last) => ({ ...Object.fromEntries(last), view }), { replace: true })}
        tabs={[
          { id: 'traffic', label: 'Traffic', content: <TrafficView /> },
          { id: 'compare', label: 'Compare dialects', content: <CompareView agent={agent} /> },
          { id: 'check', label: 'Check', content: <CheckView agent={agent} /> },
          { id: 'access', label: 'Agent settings', content: <AccessView agent={agent} /> },
        ]}
      />
    </Page>
  );
}
