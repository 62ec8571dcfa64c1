import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button, ErrorNote, Page } from '../design/components/index.ts';

interface BoundaryProps {
  readonly location: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  /** Of the page at `location`; undefined where it is shown. */
  readonly error?: unknown;
  readonly location: string;
}

/** A page that cannot be shown says so; the rest of the console stays, and another page works again. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { location: this.props.location };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.location === state.location ? null : { location: props.location, error: undefined };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Page title="This page cannot be shown">
        <ErrorNote error={this.state.error}>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </ErrorNote>
      </Page>
    );
  }
}

export function PageBoundary({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  return <Boundary location={location}>{children}</Boundary>;
}
