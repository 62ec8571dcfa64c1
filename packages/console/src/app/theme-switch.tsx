import { Moon, Sun, SunMoon } from 'lucide-react';
import { IconButton } from '../design/components/index.ts';
import { setTheme, type Theme, useTheme } from './theme.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;

export function ThemeSwitch() {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${theme}. Switch to ${NEXT[theme]}`} onClick={() => setTheme(NEXT[theme])}>
      <Icon size={18} aria-hidden />
    </IconButton>
  );
}
