import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namedBy, Program, reportOf } from './api/report.ts';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages/parley');

/** Where the reports are checked in, one for each entry of the package. */
export const REPORTS: string = join(PACKAGE, 'api');

/** The reports as they must be now, by the names of their files. */
export function apiReports(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-api-'));
  try {
    emitDeclarations(folder);
    const program = new Program();
    const [root, ...others] = entries().map(
      ([path, types]) => [path, join(folder, types.replace('./dist/', ''))] as const,
    );
    if (root?.[0] !== '.') throw new Error('The first entry of the package must be its root');
    const named = namedBy(program, [root[1], ...others.map(([, file]) => file)]);
    const first = reportOf('parley-a2a', program, root[1], named);
    const elsewhere = new Set([...named, ...first.shown]);
    const rest = others.map(([path, file]) => {
      const subpath = path.slice('./'.length);
      const report = reportOf(`parley-a2a/${subpath}`, program, file, elsewhere);
      return [`${subpath.replaceAll('/', '-')}.api.md`, report.text] as const;
    });
    return new Map([['index.api.md', first.text], ...rest]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The entries of the package that have types, with their declaration files. */
function entries(): readonly (readonly [path: string, types: string])[] {
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
  };
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'object' && target.types ? [[path, target.types] as const] : [],
  );
}

function emitDeclarations(folder: string): void {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const options = ['--outDir', folder, '--emitDeclarationOnly', '--removeComments', '--incremental', 'false'];
  const { status, stdout, error } = spawnSync(compiler, ['-p', join(PACKAGE, 'tsconfig.build.json'), ...options], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The declarations could not be written: ${stdout}`, { cause: error });
}

function write(): void {
  const reports = apiReports();
  mkdirSync(REPORTS, { recursive: true });
  for (const file of readdirSync(REPORTS)) if (!reports.has(file)) rmSync(join(REPORTS, file));
  for (const [file, text] of reports) writeFileSync(join(REPORTS, file), text);
  console.log(`${reports.size} reports in packages/parley/api`);
}

if (import.meta.main) write();
