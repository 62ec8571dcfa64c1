import { lazy, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { AgentsPage } from '../agents/agents-page.tsx';
import { Loading } from '../design/components/index.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Shell } from './shell.tsx';

// The first screen is the list of agents; every other page is loaded when it is opened.
const AgentPage = lazy(() => import('../agents/agent-page.tsx'));
const OutsidePage = lazy(() => import('../agents/outside-page.tsx'));
const TalkPage = lazy(() => import('../chat/talk-page.tsx'));
const TasksPage = lazy(() => import('../tasks/tasks-page.tsx'));
const TaskPage = lazy(() => import('../tasks/task-page.tsx'));
const OperatePage = lazy(() => import('../operate/operate-page.tsx'));
const WirePage = lazy(() => import('../wire/wire-page.tsx'));
const CallbackPage = lazy(() => import('../wire/access/callback-page.tsx'));

/** Every page of the console by its address below `/console`. */
export function App() {
  return (
    <Router base="/console">
      <Switch>
        <Route path="/callback">
          <Suspense fallback={<Loading what="the page" />}>
            <CallbackPage />
          </Suspense>
        </Route>
        <Route>
          <Pages />
        </Route>
      </Switch>
    </Router>
  );
}

function Pages() {
  return (
    <Shell>
      <PageBoundary>
        <Suspense fallback={<Loading what="the page" />}>
          <Switch>
            <Route path="/" component={AgentsPage} />
            <Route path="/agents/:name">{({ name }) => <AgentPage name={decode(name)} />}</Route>
            <Route path="/outside" component={OutsidePage} />
            <Route path="/talk/:agent">{({ agent }) => <TalkPage key={agent} agent={decode(agent)} />}</Route>
            <Route path="/tasks" component={TasksPage} />
            <Route path="/tasks/:id">{({ id }) => <TaskPage key={id} id={decode(id)} />}</Route>
            <Route path="/operate" component={OperatePage} />
            <Route path="/wire" component={WirePage} />
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
