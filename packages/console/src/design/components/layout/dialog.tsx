import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The title is there for screen readers alone, and the content fills the dialog. */
  readonly bare?: boolean | undefined;
  readonly children: ReactNode;
}

/**
 * A dialog over the page. Radix's own overlay writes a `<style>` element into the page, which the CSP refuses; the backdrop
 * here is an element like others.
 */
export function Dialog({ title, isOpen, onClose, bare, children }: DialogProps) {
  const focusedBefore = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Before anything in the dialog takes the focus.
  if (isOpen && !wasOpen.current) focusedBefore.current = document.activeElement;
  wasOpen.current = isOpen;
  const enter = (event: Event) => {
    const { currentTarget } = event;
    // A form begins with its first field, where no keyboard comes up over half of the page for it.
    if (!(currentTarget instanceof HTMLElement) || !matchMedia('(hover: hover) and (pointer: fine)').matches) return;
    const field = currentTarget.querySelector<HTMLElement>('input, textarea, select');
    if (field === null) return;
    event.preventDefault();
    field.focus();
  };
  // The keyboard goes on where it was, unless a page that the dialog led to has taken the focus.
  const returnFocus = (event: Event) => {
    event.preventDefault();
    const { current } = focusedBefore;
    if (document.activeElement === document.body && current instanceof HTMLElement) current.focus();
  };
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <div className={styles.backdrop} aria-hidden />
        <RadixDialog.Content
          className={styles.dialog}
          aria-describedby={undefined}
          onOpenAutoFocus={enter}
          onCloseAutoFocus={returnFocus}
        >
          {bare ? (
            <RadixDialog.Title className="visually-hidden">{title}</RadixDialog.Title>
          ) : (
            <div className={styles.head}>
              <RadixDialog.Title>{title}</RadixDialog.Title>
              <IconButton label="Close" onClick={onClose}>
                <X size={18} aria-hidden />
              </IconButton>
            </div>
          )}
          <div className={bare ? undefined : styles.body}>{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
