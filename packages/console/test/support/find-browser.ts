import { accessSync, constants } from 'node:fs';
import { type BrowserServer, chromium } from 'playwright-core';

/**
 * Flags that keep a browser quiet and off the network: names other than 127.0.0.1 resolve to nothing. Nothing here weakens what the
 * pages are protected by.
 */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-sandbox',
];

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** A browser to try, and where it is. */
interface Candidate {
  readonly name: string;
  readonly locate: () => string | undefined | Promise<string>;
  readonly flags?: readonly string[];
}

/** In order: what the person names, what is installed, what Playwright fetched, and a Chromium from npm for Linux on x64. */
const CANDIDATES: readonly Candidate[] = [
  { name: 'CHROMIUM_PATH', locate: () => process.env.CHROMIUM_PATH || undefined },
  ...INSTALLED.map((path) => ({ name: path, locate: () => existing(path) })),
  { name: 'the browser of Playwright', locate: () => existing(chromium.executablePath()) },
  { name: '@sparticuz/chromium', locate: unpackChromium, flags: ['--headless=shell', '--no-zygote'] },
];

/** A browser that tests connect to, or the reasons why none could be started. */
export type StartedBrowser = { readonly server: BrowserServer } | { readonly missing: string };

/** Starts the first browser that can be started. A named one that cannot is not replaced by another. */
export async function startBrowser(): Promise<StartedBrowser> {
  const reasons: string[] = [];
  for (const { name, locate, flags = [] } of CANDIDATES) {
    try {
      const executablePath = await locate();
      if (executablePath === undefined) continue;
      return { server: await chromium.launchServer({ executablePath, args: [...FLAGS, ...flags] }) };
    } catch (error) {
      reasons.push(`${name}: ${firstLine(error)}`);
      if (name === 'CHROMIUM_PATH') break;
    }
  }
  return { missing: reasons.length > 0 ? reasons.join('; ') : 'no Chromium is installed' };
}

function existing(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

async function unpackChromium(): Promise<string> {
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
