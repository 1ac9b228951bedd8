import { fileURLToPath } from 'node:url';
import type { LinguiConfigNormalized } from '@lingui/conf';
import type { Plugin } from 'vite';

const configPath = fileURLToPath(new URL('../lingui.config.ts', import.meta.url));

/** Compiles Lingui's macros for tests that run in Node. Babel is loaded with the first file that holds a macro. */
export function macrosInNode(): Plugin {
  let linguiConfig: LinguiConfigNormalized | undefined;
  return {
    name: 'casewatch:macros-in-node',
    enforce: 'pre',
    transform: {
      filter: { code: /from '@lingui\/(?:core|react)\/macro'/ },
      async handler(code, id) {
        const [{ transformAsync }, { getConfig }] = await Promise.all([
          import('@babel/core'),
          import('@lingui/conf'),
        ]);
        linguiConfig ??= getConfig({ configPath });
        const compiled = await transformAsync(code, {
          filename: id,
          configFile: false,
          babelrc: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript', 'jsx'] },
          plugins: [['@lingui/babel-plugin-lingui-macro', { linguiConfig }]],
        });
        return compiled?.code ? { code: compiled.code, map: JSON.stringify(compiled.map) } : null;
      },
    },
  };
}
