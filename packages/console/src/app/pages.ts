import { Activity, Bot, Cable, ListTodo } from 'lucide-react';

/** The pages of the navigation and of the jump menu. */
export const PAGES = [
  { href: '/', label: 'Agents', icon: Bot, isAt: (path: string) => /^\/($|agents\/|outside|talk\/)/.test(path) },
  { href: '/tasks', label: 'Tasks', icon: ListTodo, isAt: (path: string) => path.startsWith('/tasks') },
  { href: '/operate', label: 'Operate', icon: Activity, isAt: (path: string) => path.startsWith('/operate') },
  { href: '/wire', label: 'Wire', icon: Cable, isAt: (path: string) => path.startsWith('/wire') },
] as const;
