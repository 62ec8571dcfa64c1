import { LogOut } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { currentAccess, onAccessChange, signOut } from '../api/access.ts';
import { IconButton } from '../design/components/index.ts';

/** Shown to those who have signed in. */
export function SignOut() {
  const access = useSyncExternalStore(onAccessChange, currentAccess);
  if (access === undefined) return null;
  return (
    <IconButton label="Sign out" onClick={signOut}>
      <LogOut size={18} aria-hidden />
    </IconButton>
  );
}
