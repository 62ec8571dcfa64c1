import { EmptyState, LinkButton, usePageTitle } from '../design/components/index.ts';

export function NotFoundPage() {
  usePageTitle('Not found');
  return (
    <EmptyState title="There is no such page">
      <p>The address may be mistyped, or the page was moved.</p>
      <LinkButton href="/" kind="primary">
        See the agents
      </LinkButton>
    </EmptyState>
  );
}
