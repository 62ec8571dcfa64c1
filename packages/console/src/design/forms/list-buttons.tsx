import type { IconButtonProps } from '@rjsf/utils';
import { ArrowDown, ArrowUp, Copy, type LucideIcon, Plus, X } from 'lucide-react';

/** A button of a list in a form. The library draws its own with a font of icons, which is not here. */
function listButton(label: string, Icon: LucideIcon, isWordy = false) {
  return function ListButton({ id, className, onClick, disabled }: IconButtonProps) {
    return (
      <button
        type="button"
        id={id}
        className={`btn ${className ?? ''}`}
        onClick={onClick}
        disabled={disabled}
        {...(!isWordy && { 'aria-label': label, title: label })}
      >
        <Icon size={16} aria-hidden />
        {isWordy && label}
      </button>
    );
  };
}

export const LIST_BUTTONS = {
  AddButton: listButton('Add one', Plus, true),
  CopyButton: listButton('Copy', Copy),
  MoveUpButton: listButton('Move up', ArrowUp),
  MoveDownButton: listButton('Move down', ArrowDown),
  RemoveButton: listButton('Remove', X),
  ClearButton: listButton('Clear', X),
};
