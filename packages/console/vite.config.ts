import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The server that `npm run console:dev` works on: one that runs already, by default the demo. */
const SERVER = process.env.PARLEY_URL ?? 'http://127.0.0.1:4000';

/** Servers check the origin of pages: requests of the development server carry theirs. */
const toServer = { target: SERVER, changeOrigin: true, headers: { origin: SERVER } };

// What is shipped is React's production build, also where a test or a server with another environment builds it.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  resolve: { conditions: ['parley-source', 'module', 'browser', 'production'] },
  build: {
    outDir: process.env.PARLEY_CONSOLE_OUT ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The CSP has no data: for fonts and styles; small assets stay files.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/a2a': toServer,
      '/.well-known': toServer,
      '/livez': toServer,
      '/readyz': toServer,
      '/metrics': toServer,
    },
  },
});
