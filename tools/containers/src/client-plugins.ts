import { fileURLToPath } from 'node:url';
import { goProgram } from '@casewatch/kubernetes-tools/go-program';

const MODULES = {
  compose: { module: 'github.com/docker/compose/v5', package: 'cmd', version: 'internal.Version' },
  buildx: { module: 'github.com/docker/buildx', package: 'cmd/buildx', version: 'version.Version' },
};

/**
 * Paths of the docker client's plugins `docker-compose` and `docker-buildx`, built from source the first time: for
 * engines of distributions that come without them.
 */
export async function clientPlugins(): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, { module, package: inside, version }] of Object.entries(MODULES)) {
    const path = await goProgram({
      moduleFolder: fileURLToPath(new URL(`../${name}/`, import.meta.url)),
      name: `docker-${name}`,
      package: `${module}/${inside}`,
      stamps: (versionOf) => [`${module}/${version}=${versionOf(module)}`],
    });
    paths.push(path);
  }
  return paths;
}
