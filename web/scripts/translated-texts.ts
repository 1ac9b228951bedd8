import { fileURLToPath } from 'node:url';
import { getConfig } from '@lingui/conf';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import type { PluginOption } from 'vite';

const configPath = fileURLToPath(new URL('../lingui.config.ts', import.meta.url));

/** Returns plugins for Lingui's macros, and its catalogs as modules. A text that a language lacks fails the build. */
export function translatedTexts(): PluginOption[] {
  const linguiConfig = getConfig({ configPath });
  return [
    lingui({ configPath, failOnMissing: true, failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset({ linguiConfig }, { configPath })] }),
  ];
}
