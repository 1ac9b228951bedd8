import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/**
 * The import direction rule: host -> services, gateway, simulators -> packages -> proto. The zones are the
 * folders as they are, so a new service is covered the moment its folder exists.
 */
const LAYERS: Record<string, readonly string[]> = {
  host: ['services', 'gateway', 'simulators', 'packages', 'proto'],
  bench: ['host', 'services', 'gateway', 'simulators', 'packages', 'proto'],
  e2e: ['packages'],
  scripts: ['host', 'gateway', 'services', 'packages', 'proto'],
  gateway: ['packages'],
  services: ['packages'],
  simulators: ['packages'],
  web: ['packages/contracts'],
  packages: ['packages', 'proto'],
  proto: [],
};
/** Tests may also use what stands in for the outside world. */
const TEST_ALSO = ['packages', 'simulators'];
/** Packages in the order of who may use whom. */
const PACKAGE_ORDER: readonly (readonly string[])[] = [
  ['contracts', 'simulator-kit'],
  ['service-kit'],
  ['messaging', 'shared-state'],
  ['service-definition'],
  ['dev-stack'],
  ['testing'],
];
/** `domain/` holds pure rules and use cases: no web server, database client or broker. */
const NOT_IN_DOMAIN = /^(express|pg|@prisma\/.*|kafkajs|ioredis|undici)$/;

export interface ImportFault {
  file: string;
  line: number;
  message: string;
}

/** Every import of the tree below `root` that goes the wrong way. */
export function checkImports(root: string): ImportFault[] {
  const workspaces = readWorkspaces(root);
  return [...workspaces.values()].flatMap((workspace) =>
    sourceFiles(path.join(root, workspace)).flatMap((file) => checkFile(root, file, workspace, workspaces)),
  );
}

/** Package name -> folder, for every folder with a package.json. */
function readWorkspaces(root: string): Map<string, string> {
  const folders = Object.keys(LAYERS).flatMap((top) => {
    const here = path.join(root, top);
    return [top, ...subfolders(here).map((name) => `${top}/${name}`)];
  });
  const named = folders.flatMap((folder) => {
    try {
      const manifest: { name: string } = JSON.parse(
        readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
      );
      return [[manifest.name, folder] as const];
    } catch {
      return [];
    }
  });
  return new Map(named);
}

function checkFile(
  root: string,
  file: string,
  workspace: string,
  workspaces: Map<string, string>,
): ImportFault[] {
  const source = readFileSync(file, 'utf8');
  const relative = path.relative(root, file);
  const isTest = /(\.test\.tsx?$|\/test\/|\/vitest\.[\w.]+$)/.test(relative);
  return importsOf(file, source).flatMap(({ specifier, start }) => {
    const message = faultOf(specifier, file, root, workspace, workspaces, isTest);
    return message ? [{ file: relative, line: source.slice(0, start).split('\n').length, message }] : [];
  });
}

function faultOf(
  specifier: string,
  file: string,
  root: string,
  workspace: string,
  workspaces: Map<string, string>,
  isTest: boolean,
): string | undefined {
  const inDomain = !isTest && file.includes(`${path.sep}src${path.sep}domain${path.sep}`);
  if (inDomain && (NOT_IN_DOMAIN.test(specifier) || specifier.includes('/generated/'))) {
    return `domain/ must not import ${specifier}`;
  }
  if (
    specifier.includes('/generated/') &&
    workspace.startsWith('services/') &&
    !isTest &&
    !file.includes(`${path.sep}data${path.sep}`)
  ) {
    return `only data/ uses Prisma, not ${specifier}`;
  }
  const target = targetOf(specifier, file, root, workspaces);
  if (!target || target === workspace) return undefined;
  const allowed = LAYERS[workspace.split('/')[0] ?? ''] ?? [];
  const open = isTest ? [...allowed, ...TEST_ALSO] : allowed;
  if (!open.some((zone) => target === zone || target.startsWith(`${zone}/`))) {
    return `${workspace} must not import ${target} (${specifier})`;
  }
  return packageOrderFault(workspace, target, isTest);
}

function packageOrderFault(workspace: string, target: string, isTest: boolean): string | undefined {
  if (isTest || !workspace.startsWith('packages/') || !target.startsWith('packages/')) {
    const testingInProduct =
      target === 'packages/testing' && !isTest && /^(services|gateway|host|web)/.test(workspace);
    return testingInProduct ? `${workspace} must not import the test package outside tests` : undefined;
  }
  const rank = (folder: string) =>
    PACKAGE_ORDER.findIndex((level) => level.includes(folder.slice('packages/'.length)));
  return rank(target) < rank(workspace) ? undefined : `${workspace} must not import ${target}`;
}

/** The workspace that an import leads to; undefined for packages from the registry and Node's own. */
function targetOf(
  specifier: string,
  file: string,
  root: string,
  workspaces: Map<string, string>,
): string | undefined {
  if (specifier.startsWith('.')) {
    const resolved = path.relative(root, path.resolve(path.dirname(file), specifier));
    return [...workspaces.values()].find(
      (folder) => resolved === folder || resolved.startsWith(`${folder}${path.sep}`),
    );
  }
  const [scope, name] = specifier.split('/');
  return workspaces.get(specifier.startsWith('@') ? `${scope}/${name}` : (scope ?? ''));
}

function importsOf(file: string, source: string): { specifier: string; start: number }[] {
  const { module } = parseSync(file, source);
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    return /^['"][^'"]+['"]$/.test(text)
      ? [{ specifier: text.slice(1, -1), start: moduleRequest.start }]
      : [];
  });
  const still = module.staticImports.map(({ moduleRequest }) => ({
    specifier: moduleRequest.value,
    start: moduleRequest.start,
  }));
  const again = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [{ specifier: moduleRequest.value, start: moduleRequest.start }] : [],
    ),
  );
  return [...still, ...again, ...dynamic];
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => /\.(ts|tsx)$/.test(file) && !/\/(node_modules|dist|generated)\//.test(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkImports(fileURLToPath(new URL('..', import.meta.url)));
  for (const { file, line, message } of faults) console.error(`${file}:${line} ${message}`);
  process.exit(faults.length > 0 ? 1 : 0);
}
