import { type FormEvent, useState } from 'react';
import { useServerInfo } from '../../api/server-info.ts';
import { Button, SelectField, TextField } from '../../design/components/index.ts';
import { STATES } from '../states.ts';
import styles from './filter-bar.module.css';
import { SavedFilters } from './saved-filters-bar.tsx';
import { isEmptyFilter, type TaskFilter } from './task-filter.ts';

const WINDOWS = [
  [15, 'Last 15 minutes'],
  [60, 'Last hour'],
  [1440, 'Last day'],
  [10_080, 'Last week'],
] as const;

interface FilterBarProps {
  readonly filter: TaskFilter;
  readonly onChange: (filter: TaskFilter) => void;
}

/** Chooses the tasks: by state, agent, context and time; and the filters that were saved. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const { data: server } = useServerInfo();
  const set = (change: TaskFilter) => onChange({ ...filter, ...change });
  return (
    <section className={styles.bar} aria-label="Filters">
      <div className={styles.fields}>
        <SelectField
          label="State"
          value={filter.state ?? ''}
          onChange={({ target }) => set({ state: target.value || undefined })}
        >
          <option value="">Any state</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {state.replaceAll('-', ' ')}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Agent"
          value={filter.agent ?? ''}
          onChange={({ target }) => set({ agent: target.value || undefined })}
        >
          <option value="">Any agent</option>
          {agentNames(server?.agents ?? [], filter.agent).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <TimeFields filter={filter} set={set} />
        <ContextField key={filter.context ?? ''} value={filter.context ?? ''} set={set} />
        {!isEmptyFilter(filter) && (
          <Button kind="quiet" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
      <SavedFilters filter={filter} />
    </section>
  );
}

/** An agent that is filtered by stays in the list, also where this server has it no longer. */
function agentNames(agents: readonly { readonly name: string }[], chosen: string | undefined): readonly string[] {
  const names = agents.map(({ name }) => name);
  return chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
}

interface TimeFieldsProps {
  readonly filter: TaskFilter;
  readonly set: (change: TaskFilter) => void;
}

function TimeFields({ filter, set }: TimeFieldsProps) {
  const hasDays = filter.from !== undefined || filter.to !== undefined;
  const [isByDay, setByDay] = useState(hasDays);
  const choose = (value: string) => {
    setByDay(value === 'days');
    set({ minutes: Number(value) || undefined, from: undefined, to: undefined });
  };
  const value = isByDay || hasDays ? 'days' : String(filter.minutes ?? '');
  const isOther = filter.minutes !== undefined && !WINDOWS.some(([minutes]) => minutes === filter.minutes);
  return (
    <>
      <SelectField label="Time" value={value} onChange={({ target }) => choose(target.value)}>
        <option value="">Any time</option>
        {WINDOWS.map(([minutes, words]) => (
          <option key={minutes} value={minutes}>
            {words}
          </option>
        ))}
        {isOther && <option value={filter.minutes}>Last {filter.minutes} minutes</option>}
        <option value="days">By day…</option>
      </SelectField>
      {value === 'days' && (
        <>
          <DayField label="From" value={filter.from} onChange={(from) => set({ from, minutes: undefined })} />
          <DayField label="To" value={filter.to} onChange={(to) => set({ to, minutes: undefined })} />
        </>
      )}
    </>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <TextField
      type="date"
      label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
    />
  );
}

/** Takes effect with Enter, or when the field is left: half an id is the id of nothing. */
function ContextField({ value, set }: { readonly value: string; readonly set: (change: TaskFilter) => void }) {
  const [text, setText] = useState(value);
  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== value) set({ context: text.trim() || undefined });
  };
  return (
    <form onSubmit={apply} className={styles.context}>
      <TextField
        label="Context"
        placeholder="The id of a conversation"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => apply()}
      />
    </form>
  );
}
