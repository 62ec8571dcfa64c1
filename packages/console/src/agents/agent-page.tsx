import { EmptyState, Page } from '../design/components/index.ts';

export default function AgentPage(_props: { readonly name: string }) {
  return (
    <Page title="Agent">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
