import { EmptyState, Page } from '../design/components/index.ts';

export default function OutsidePage() {
  return (
    <Page title="An outside agent">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
