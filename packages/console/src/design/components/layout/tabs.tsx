import { Tabs as RadixTabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value?: string | undefined;
  readonly onChange?: ((id: string) => void) | undefined;
}

/** Views of one thing, one of them at a time. Only the one that is shown is rendered. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // Where the tabs have no room beside each other, the chosen one is in sight.
  useEffect(() => {
    const row = list.current;
    const active = row?.querySelector('[data-state="active"]');
    if (!row || !active || value === '') return;
    const [all, one] = [row.getBoundingClientRect(), active.getBoundingClientRect()];
    if (one.left < all.left) row.scrollLeft -= all.left - one.left;
    else if (one.right > all.right) row.scrollLeft += one.right - all.right;
  }, [value]);
  const first = tabs[0];
  if (first === undefined) return null;
  const state = value === undefined ? { defaultValue: first.id } : { value };
  return (
    <RadixTabs.Root {...state} {...(onChange && { onValueChange: onChange })}>
      <RadixTabs.List ref={list} aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.id} value={tab.id} className={styles.tab}>
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.id} value={tab.id} className={styles.content}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
