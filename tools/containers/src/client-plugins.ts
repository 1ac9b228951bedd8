import { fileURLToPath } from 'node:url';
import { goProgram } from '@casewatch/dev-stack/tools/go-program';

const MODULES = {
  compose: { module: 'github.com/docker/compose/v5', package: 'cmd', version: 'internal.Version' },
  buildx: { module: 'github.com/docker/buildx', package: 'cmd/buildx', version: 'version.Version' },
};
export const PLUGINS = ['compose', 'buildx'] as const;

/**
 * Returns the path of a plugin of the docker client, `docker-compose` or `docker-buildx`, built from source the first time: for
 * engines of distributions that come without them.
 */
export function clientPlugin(name: (typeof PLUGINS)[number]): Promise<string> {
  const { module, package: inside, version } = MODULES[name];
  return goProgram({
    moduleFolder: fileURLToPath(new URL(`../${name}/`, import.meta.url)),
    name: `docker-${name}`,
    package: `${module}/${inside}`,
    stamps: (versionOf) => [`${module}/${version}=${versionOf(module)}`],
  });
}
