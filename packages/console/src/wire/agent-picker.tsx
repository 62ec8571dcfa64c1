import { useState } from 'react';
import type { AgentTarget } from '../api/clients.ts';
import { useServerInfo } from '../api/server-info.ts';
import { SelectField, TextField } from '../design/components/index.ts';
import styles from './tools.module.css';

const OUTSIDE = ':outside';

interface AgentPickerProps {
  readonly value: AgentTarget | undefined;
  readonly onChange: (target: AgentTarget | undefined) => void;
}

/** An agent of this server, or an outside one by its address. */
export function AgentPicker({ value, onChange }: AgentPickerProps) {
  const { data } = useServerInfo();
  const [address, setAddress] = useState(value?.kind === 'outside' ? value.url : '');
  const isOutside = value?.kind === 'outside';
  const isBad = isOutside && address !== '' && !isAddress(address);
  const typed = (text: string) => {
    setAddress(text);
    onChange({ kind: 'outside', url: text.trim() });
  };
  return (
    <div className={styles.picker}>
      <SelectField
        label="Agent"
        value={isOutside ? OUTSIDE : (value?.name ?? '')}
        onChange={({ target: { value: name } }) => {
          if (name === OUTSIDE) typed(address);
          else onChange(name === '' ? undefined : { kind: 'own', name });
        }}
      >
        <option value="">Choose an agent</option>
        {data?.agents.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value={OUTSIDE}>At another address…</option>
      </SelectField>
      {isOutside && (
        <TextField
          label="Address"
          type="url"
          placeholder="https://agent.example.com"
          className={styles.address}
          value={address}
          problem={isBad ? 'This is not an address: it begins with https:// or http://' : undefined}
          onChange={(event) => typed(event.target.value)}
        />
      )}
    </div>
  );
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The target, where a person has typed all of it. */
export function completeTarget(target: AgentTarget | undefined): AgentTarget | undefined {
  return target?.kind === 'outside' && !isAddress(target.url) ? undefined : target;
}

/** The agent that a link names: `?agent=NAME` or `?agent=https://…`. */
export function targetFrom(agent: string | undefined): AgentTarget | undefined {
  if (agent === undefined || agent === '') return undefined;
  return isAddress(agent) ? { kind: 'outside', url: agent } : { kind: 'own', name: agent };
}
