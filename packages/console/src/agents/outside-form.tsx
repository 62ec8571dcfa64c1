import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { Button, TextField } from '../design/components/index.ts';
import styles from './card.module.css';

/** Opens an agent of another server by its address. */
export function OutsideForm({ initial = '' }: { readonly initial?: string }) {
  const [address, setAddress] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [, navigate] = useLocation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const written = address.trim();
    const url = outsideUrl(written);
    if (url === undefined) setProblem(written === '' ? 'Write an address.' : 'That is not an http(s) address.');
    else navigate(`/outside?url=${encodeURIComponent(url)}`);
  };
  return (
    <form className={styles.outside} onSubmit={submit} noValidate>
      <TextField
        label="Open an outside agent"
        type="url"
        placeholder="https://agent.example.com"
        value={address}
        problem={problem}
        onChange={(event) => {
          setAddress(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit">Open</Button>
    </form>
  );
}

/** The address of an outside agent as a person writes it, with or without the scheme. */
export function outsideUrl(written: string): string | undefined {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
  const url = URL.parse(hasScheme ? written : `https://${written}`);
  // Browsers write a host with spaces as one with %20, which no host has.
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && /^[^\s%]+$/.test(url.hostname);
  return isAddress ? url.href : undefined;
}
