import type { ReactNode } from 'react';

export const metadata = { title: 'my-agent' };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', maxWidth: '36rem', margin: '3rem auto', padding: '0 1rem' }}>
        {children}
      </body>
    </html>
  );
}
