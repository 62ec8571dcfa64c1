import type { ReactNode } from 'react';
import styles from './markdown.module.css';

/**
 * A link that an agent wrote: only to pages and mail, in a window of its own that knows nothing of this one. Unless its text is
 * the address, the host that it leads to stands beside it: what an agent calls a link proves nothing.
 */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  const url = href === undefined ? null : URL.parse(href);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    return <span title={href}>{children}</span>;
  }
  const place = url.protocol === 'mailto:' ? url.pathname : url.host;
  const isTold = children === href || children === url.href || children === place;
  return (
    <>
      <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!isTold && (
        <bdi dir="ltr" className={styles.place}>
          {' '}
          ({place})
        </bdi>
      )}
    </>
  );
}
