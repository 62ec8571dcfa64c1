import { inWordsOf, type PackageManager } from './package-manager.ts';
import { filesOf, PLACEHOLDER, type TemplateName } from './templates.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Project {
  readonly template: TemplateName;
  readonly name: string;
  readonly manager: PackageManager;
  /** The source of parley-a2a, as package.json has it. */
  readonly parley: string;
}

/** The packages that a template needs, by name. */
export function dependenciesOf(template: TemplateName): readonly string[] {
  const { dependencies, devDependencies } = manifestOf(filesOf(template));
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** All files of a new project. */
export function projectFiles({ template, name, manager, parley }: Project): ReadonlyMap<string, string> {
  const templateFiles = filesOf(template);
  const manifest = manifestOf(templateFiles);
  const packageJson = { ...manifest, name, dependencies: { ...manifest.dependencies, 'parley-a2a': parley } };
  const files = new Map<string, string>();
  for (const [path, text] of templateFiles) {
    files.set(path, inWordsOf(manager, text).replaceAll(PLACEHOLDER, name));
  }
  files.set('package.json', `${JSON.stringify(packageJson, null, 2)}\n`);
  // Yarn 2 and newer would make a file of packages, which the image and editors do not look into.
  if (manager.name === 'yarn') files.set('.yarnrc.yml', 'nodeLinker: node-modules\n');
  return files;
}

function manifestOf(files: ReadonlyMap<string, string>): Manifest {
  return JSON.parse(files.get('package.json') ?? '{}') as Manifest;
}
