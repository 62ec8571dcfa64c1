import { EmptyState, Page } from '../design/components/index.ts';

export default function TasksPage() {
  return (
    <Page title="Tasks">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
