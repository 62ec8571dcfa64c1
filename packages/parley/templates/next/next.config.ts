import type { NextConfig } from 'next';

const config: NextConfig = {
  // Loaded by Node as it is installed instead of bundled: the thread that writes SQLite is a file of its own.
  serverExternalPackages: ['parley-a2a'],
  // `/a2a/` is answered as `/a2a` is, without a redirect.
  skipTrailingSlashRedirect: true,
  // `next dev` writes no notes into the folder.
  agentRules: false,
};

export default config;
