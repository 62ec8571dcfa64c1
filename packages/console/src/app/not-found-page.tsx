import { LinkButton, Page } from '../design/components/index.ts';

export function NotFoundPage() {
  return (
    <Page title="There is no such page" lead="The address may be mistyped, or the page was moved.">
      <div>
        <LinkButton href="/" kind="primary">
          See the agents
        </LinkButton>
      </div>
    </Page>
  );
}
