import { useLocation, useSearch } from 'wouter';
import { Page } from '../design/components/index.ts';
import { FilterBar } from './list/filter-bar.tsx';
import { readFilter, type TaskFilter, writeFilter } from './list/task-filter.ts';
import { TaskTable } from './list/task-table.tsx';
import { useTaskList } from './list/use-task-list.ts';

/** The tasks of this server, live. The filter is the address, so that it can be sent to somebody and gone back to. */
export default function TasksPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const filter = readFilter(search);
  const address = writeFilter(filter);
  const list = useTaskList(address);
  const setFilter = (changed: TaskFilter) => navigate(`/tasks${writeFilter(changed)}`);
  return (
    <Page title="Tasks" lead={list.total === undefined ? 'Counting…' : countOf(list.total)}>
      <FilterBar filter={filter} onChange={setFilter} />
      <TaskTable key={address} list={list} isFiltered={address !== ''} onClear={() => setFilter({})} />
    </Page>
  );
}

function countOf(total: number): string {
  return `${total.toLocaleString()} ${total === 1 ? 'task' : 'tasks'}, the latest change first`;
}
