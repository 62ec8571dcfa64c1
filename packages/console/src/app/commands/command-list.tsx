import { Command } from 'cmdk';
import { Bot, Globe, ListTodo, MessageSquare } from 'lucide-react';
import { useLocation } from 'wouter';
import { useServerInfo } from '../../api/server-info.ts';
import { PAGES } from '../pages.ts';
import styles from './command-list.module.css';

/** Ids of tasks are long; fewer characters are a search for a name. */
const SHORTEST_ID = 8;

interface CommandListProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onDone: () => void;
}

/** What can be jumped to: pages, agents, and what was typed where it is a task's id or an address. */
export default function CommandList({ search, onSearch, onDone }: CommandListProps) {
  const [, navigate] = useLocation();
  const { data: server } = useServerInfo();
  const typed = search.trim();
  const go = (href: string) => () => {
    onDone();
    navigate(href);
  };
  return (
    <Command label="Jump to…" loop>
      <Command.Input
        autoFocus
        value={search}
        onValueChange={onSearch}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        className={styles.input}
        placeholder="An agent, a page, the id of a task, the address of an agent"
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>Nothing has that name.</Command.Empty>
        {/^https?:\/\//.test(typed) && (
          <Command.Item
            value={`outside ${typed}`}
            onSelect={go(`/outside?url=${encodeURIComponent(typed)}`)}
            className={styles.item}
          >
            <Globe size={16} aria-hidden /> Open the agent at {typed}
          </Command.Item>
        )}
        {typed.length >= SHORTEST_ID && /^[\w-]+$/.test(typed) && (
          <Command.Item
            value={`task ${typed}`}
            onSelect={go(`/tasks/${encodeURIComponent(typed)}`)}
            className={styles.item}
          >
            <ListTodo size={16} aria-hidden /> Open the task {typed}
          </Command.Item>
        )}
        <Command.Group heading="Agents" className={styles.group}>
          {server?.agents.map(({ name }) => (
            <Command.Item
              key={name}
              value={`agent ${name}`}
              onSelect={go(`/agents/${encodeURIComponent(name)}`)}
              className={styles.item}
            >
              <Bot size={16} aria-hidden /> {name}
            </Command.Item>
          ))}
          {server?.agents.map(({ name }) => (
            <Command.Item
              key={name}
              value={`talk to ${name}`}
              onSelect={go(`/talk/${encodeURIComponent(name)}`)}
              className={styles.item}
            >
              <MessageSquare size={16} aria-hidden /> Talk to {name}
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Pages" className={styles.group}>
          {PAGES.map(({ href, label, icon: Icon }) => (
            <Command.Item key={href} value={`page ${label}`} onSelect={go(href)} className={styles.item}>
              <Icon size={16} aria-hidden /> {label}
            </Command.Item>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  );
}
