import { EmptyState, Page } from '../design/components/index.ts';

export default function OperatePage() {
  return (
    <Page title="Operate">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
