import { EmptyState, Page } from '../design/components/index.ts';

export default function WirePage() {
  return (
    <Page title="Wire">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
