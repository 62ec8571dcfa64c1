import { Link, useLocation } from 'wouter';
import { PAGES } from './pages.ts';
import styles from './shell.module.css';

export function SideNavigation() {
  const [location] = useLocation();
  return (
    <nav className={styles.side} aria-label="Pages">
      <ul>
        {PAGES.map(({ href, label, icon: Icon, isAt }) => (
          <li key={href}>
            <Link
              href={href}
              className={styles.link}
              title={label}
              {...(isAt(location) && { 'aria-current': 'page' as const })}
            >
              <Icon size={18} aria-hidden />
              <span className={styles.label}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
