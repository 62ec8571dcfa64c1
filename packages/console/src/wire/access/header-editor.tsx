import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button, IconButton, TextField } from '../../design/components/index.ts';
import styles from '../tools.module.css';

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

interface HeaderEditorProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly onChange: (headers: Readonly<Record<string, string>>) => void;
}

/** Headers that go with every request to one agent. Their values are not shown. */
export function HeaderEditor({ headers, onChange }: HeaderEditorProps) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const isBad = name !== '' && !NAME.test(name);
  const isTooWild = /[^\t\x20-\x7e\x80-\xff]/.test(value);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || isBad || isTooWild) return;
    onChange({ ...headers, [name.toLowerCase()]: value });
    setName('');
    setValue('');
  };
  return (
    <div className={styles.form}>
      <p className={styles.note}>
        Sent with every request of this page to the agent. They are not stored: a reload forgets them.
      </p>
      {Object.keys(headers).map((one) => (
        <div key={one} className={styles.headerRow}>
          <code>{one}</code>
          <span>•••••••</span>
          <IconButton
            label={`Remove ${one}`}
            onClick={() => onChange(Object.fromEntries(Object.entries(headers).filter(([other]) => other !== one)))}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      <form className={styles.headerRow} onSubmit={add}>
        <TextField
          label="Name"
          value={name}
          placeholder="x-team"
          problem={isBad ? 'A header has letters, digits and hyphens alone' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Value"
          type="password"
          autoComplete="off"
          value={value}
          problem={isTooWild ? 'A header cannot hold these characters' : undefined}
          onChange={(event) => setValue(event.target.value)}
        />
        <Button type="submit" disabled={name === '' || isBad || isTooWild}>
          Add
        </Button>
      </form>
    </div>
  );
}
