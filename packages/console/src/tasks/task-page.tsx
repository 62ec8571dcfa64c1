import { EmptyState, Page } from '../design/components/index.ts';

export default function TaskPage(_props: { readonly id: string }) {
  return (
    <Page title="Task">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
