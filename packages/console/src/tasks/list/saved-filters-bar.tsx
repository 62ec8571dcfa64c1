import { Bookmark, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button, Dialog, IconButton, TextField } from '../../design/components/index.ts';
import styles from './filter-bar.module.css';
import { readSavedFilters, removeFilter, saveFilter } from './saved-filters.ts';
import { isEmptyFilter, type TaskFilter, writeFilter } from './task-filter.ts';

interface SavedFiltersProps {
  readonly filter: TaskFilter;
}

/** Filters under names, kept in this browser. */
export function SavedFilters({ filter }: SavedFiltersProps) {
  const [saved, setSaved] = useState(() => readSavedFilters(localStorage));
  const [isNaming, setNaming] = useState(false);
  const current = writeFilter(filter);
  const isSaved = saved.some((one) => writeFilter(one.filter) === current);
  if (saved.length === 0 && isEmptyFilter(filter)) return null;
  return (
    <div className={styles.saved}>
      <ul aria-label="Saved filters">
        {saved.map((one) => (
          <li key={one.name} className={writeFilter(one.filter) === current ? styles.current : undefined}>
            <Link
              href={`/tasks${writeFilter(one.filter)}`}
              aria-current={writeFilter(one.filter) === current ? 'true' : undefined}
            >
              {one.name}
            </Link>
            <IconButton
              small
              label={`Forget the filter ${one.name}`}
              onClick={() => setSaved(removeFilter(localStorage, one.name))}
            >
              <X size={13} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {!isEmptyFilter(filter) && !isSaved && (
        <Button small kind="quiet" onClick={() => setNaming(true)}>
          <Bookmark size={14} aria-hidden /> Save this filter
        </Button>
      )}
      <Dialog title="Save this filter" isOpen={isNaming} onClose={() => setNaming(false)}>
        <NameForm
          onName={(name) => {
            setSaved(saveFilter(localStorage, name, filter));
            setNaming(false);
          }}
        />
      </Dialog>
    </div>
  );
}

function NameForm({ onName }: { readonly onName: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={submit} className={styles.naming}>
      <TextField
        label="Name"
        hint="It is kept in this browser."
        maxLength={60}
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" kind="primary">
        Save
      </Button>
    </form>
  );
}
