import { EmptyState, Page } from '../design/components/index.ts';

export default function TalkPage(_props: { readonly agent: string }) {
  return (
    <Page title="Talk">
      <EmptyState title="Nothing here yet" />
    </Page>
  );
}
