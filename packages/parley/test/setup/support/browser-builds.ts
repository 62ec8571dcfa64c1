import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { transform } from 'esbuild';
import { rollup } from 'rollup';
import { ROOT, shellEnvironment } from './repository.ts';

const run = promisify(execFile);

/** A page's program that uses the client alone. */
export const PROGRAM = `import { A2AClient } from 'parley-a2a/client';\nglobalThis.A2AClient = A2AClient;\n`;

/** Builds the program in a project with one of the usual bundlers, without any setting of theirs; the code of the one file. */
export const BROWSER_BUILDS: Readonly<Record<string, (project: string) => Promise<string>>> = {
  'esbuild --bundle --platform=browser': async (project) => {
    const output = join(project, 'esbuild.js');
    await bundler(
      project,
      'esbuild',
      'program.js',
      '--bundle',
      '--platform=browser',
      '--minify',
      `--outfile=${output}`,
    );
    return readFileSync(output, 'utf8');
  },
  'vite build': async (project) => {
    writeFileSync(join(project, 'index.html'), '<!doctype html><script type="module" src="./program.js"></script>');
    await bundler(project, 'vite', 'build', '--outDir', 'vite');
    return onlyScript(join(project, 'vite/assets'));
  },
  'rollup with its resolver': async (project) => {
    const warnings: string[] = [];
    const build = await rollup({
      input: join(project, 'program.js'),
      plugins: [nodeResolve({ browser: true })],
      onwarn: ({ message }) => void warnings.push(message),
    });
    const { output } = await build.generate({ format: 'es' });
    await build.close();
    if (warnings.length > 0 || output.length !== 1)
      throw new Error(`Rollup made ${output.length} files: ${warnings.join(', ')}`);
    // Rollup leaves comments where they are.
    return (await transform(output[0].code, { minify: true })).code;
  },
};

/** Writes the program into a project that has the package installed. */
export function writeProgram(project: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'program.js'), PROGRAM);
}

async function bundler(cwd: string, name: string, ...args: readonly string[]): Promise<void> {
  await run(join(ROOT, 'node_modules/.bin', name), args, { cwd, env: shellEnvironment() });
}

function onlyScript(folder: string): string {
  const [script = '', ...others] = readdirSync(folder);
  if (others.length > 0) throw new Error(`More than one file was built: ${[script, ...others].join(', ')}`);
  return readFileSync(join(folder, script), 'utf8');
}
