// Bundles the back end for the image: one file for what every role has, one for each part that only some load.
// Run by production-files.mjs; development runs the sources themselves.
import path from 'node:path';
import { rolldown } from 'rolldown';

/** Packages that stay as they are, because they load a binary of this platform. */
export const UNBUNDLED = ['@node-rs/argon2'];
/** Optional imports of pg and debug. */
const ABSENT = ['pg-native', 'supports-color'];
const OWN_URL = 'import.meta.url';

/**
 * Writes ES modules and their source maps to `<target>/dist`, beginning with `dist/container.js`. Our modules see the
 * addresses of their sources below `target`, so that they find their migrations, pages and styles there.
 */
export async function bundle({ root, target }) {
  const dist = path.join(target, 'dist');
  const build = await rolldown({
    cwd: root,
    input: { container: path.join(root, 'host/src/container.ts') },
    platform: 'node',
    external: [...UNBUNDLED, ...ABSENT],
    plugins: [keepOwnUrls(root)],
    onLog(level, log, report) {
      // Warnings about the code of packages are not ours to fix.
      if (log.id?.includes('/node_modules/') || log.code === 'EVAL') return;
      report(level === 'warn' ? 'error' : level, log);
    },
  });
  await build.write({
    dir: dist,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // As if `dist` were in the repository: no path of the machine that builds.
    sourcemapPathTransform: (source, map) =>
      path.posix.join('..', path.relative(root, path.resolve(path.dirname(map), source))),
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
}

function keepOwnUrls(root) {
  return {
    name: 'keep-own-urls',
    transform: {
      filter: { id: /\.ts$/, code: OWN_URL },
      handler(code, id) {
        const source = path.relative(path.join(root, 'dist'), id).split(path.sep).join('/');
        // Within its line: the positions of the source map stay.
        return {
          code: code.replaceAll(OWN_URL, `new URL(${JSON.stringify(source)}, ${OWN_URL}).href`),
          map: null,
        };
      },
    },
  };
}
