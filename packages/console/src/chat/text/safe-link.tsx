import type { ReactNode } from 'react';

/** A link that an agent wrote: only to pages and mail, in a window of its own that knows nothing of this one, and it says where. */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  const url = href === undefined ? null : URL.parse(href);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    return <span title={href}>{children}</span>;
  }
  return (
    <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
