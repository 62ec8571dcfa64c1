import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';

const SHOWN_FOR_MS = 1500;

interface CopyButtonProps {
  /** What is copied, or what makes it when it is wanted. */
  readonly text: string | (() => string);
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    const value = typeof text === 'function' ? text() : text;
    navigator.clipboard.writeText(value).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  const words = { idle: `Copy ${label}`, copied: 'Copied', refused: 'The browser did not allow it' }[state];
  return (
    <IconButton small label={words} onClick={copy}>
      {state === 'copied' ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
    </IconButton>
  );
}
