import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { safeJson } from '../../../../../parley/src/cli/text/clean.ts';
import { Button } from '../controls/button.tsx';
import styles from './data-tree.module.css';

/** Members of one object or list that are shown before a button shows more. */
const SHOWN_MEMBERS = 100;
/** Characters of a text that are shown before a button shows the rest. */
const SHOWN_CHARACTERS = 2000;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;

/** JSON as a tree that opens and closes. What is closed is not rendered, so data may be deep and large. */
export function DataTree({ value, label = 'Data' }: { readonly value: unknown; readonly label?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <figure className={styles.tree} aria-label={label} tabIndex={0}>
      <ul>
        <Entry value={value} depth={0} />
      </ul>
    </figure>
  );
}

function Entry({ name, value, depth }: { readonly name?: string; readonly value: unknown; readonly depth: number }) {
  return (
    <li>
      {typeof value === 'object' && value !== null ? (
        <Branch name={name} value={value} depth={depth} />
      ) : (
        <div className={styles.leaf}>
          <Name name={name} />
          <Leaf value={value} />
        </div>
      )}
    </li>
  );
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span className={styles.name}>{name}</span>
      {': '}
    </>
  );
}

function Branch({
  name,
  value,
  depth,
}: {
  readonly name: string | undefined;
  readonly value: object;
  readonly depth: number;
}) {
  const [isOpen, setOpen] = useState(depth < OPEN_LEVELS);
  const [shown, setShown] = useState(SHOWN_MEMBERS);
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  const count = `${keys.length} ${isList ? 'item' : 'member'}${keys.length === 1 ? '' : 's'}`;
  return (
    <>
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={14} aria-hidden />
        <span>
          <Name name={name} />
          <span className={styles.count}>{isList ? `[${count}]` : `{${count}}`}</span>
        </span>
      </button>
      {isOpen && keys.length > 0 && (
        <ul>
          {keys.slice(0, shown).map((key) => (
            <Entry key={key} name={key} value={(value as Record<string, unknown>)[key]} depth={depth + 1} />
          ))}
        </ul>
      )}
      {isOpen && keys.length > shown && (
        <span className={styles.more}>
          <Button small kind="quiet" onClick={() => setShown(shown + SHOWN_MEMBERS)}>
            {keys.length - shown} more
          </Button>
        </span>
      )}
    </>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value === 'number') return <span className={styles.number}>{String(value)}</span>;
  if (typeof value !== 'string') return <span className={styles.word}>{String(value)}</span>;
  const isCut = !isWhole && value.length > SHOWN_CHARACTERS;
  return (
    <>
      <span className={styles.string}>{safeJson(isCut ? value.slice(0, SHOWN_CHARACTERS) : value)}</span>
      {isCut && (
        <Button small kind="quiet" onClick={() => setWhole(true)}>
          {value.length - SHOWN_CHARACTERS} more characters
        </Button>
      )}
    </>
  );
}
