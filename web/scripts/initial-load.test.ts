import { describe, expect, it } from 'vitest';
import { initialScripts } from './initial-load.ts';

const manifest = {
  'index.html': {
    file: 'assets/app.js',
    imports: ['_react.js', '_shared.js'],
    dynamicImports: ['src/home.tsx'],
  },
  'landing.html': { file: 'assets/landing.js', imports: ['_react.js'] },
  'src/home.tsx': { file: 'assets/home.js', imports: ['_shared.js', 'index.html'] },
  'src/other.tsx': { file: 'assets/other.js' },
  '_react.js': { file: 'assets/react.js' },
  '_shared.js': { file: 'assets/shared.js', imports: ['_react.js'] },
  'font.woff2': { file: 'assets/font.woff2' },
};

describe('initialScripts', () => {
  it('follows static imports all the way and counts each script once', () => {
    const scripts = ['assets/app.js', 'assets/react.js', 'assets/shared.js', 'assets/home.js'];
    expect(initialScripts(manifest, ['index.html', 'src/home.tsx'])).toEqual(scripts);
  });

  it('leaves out what is loaded later', () => {
    expect(initialScripts(manifest, ['index.html'])).not.toContain('assets/home.js');
    expect(initialScripts(manifest, ['landing.html'])).toEqual(['assets/landing.js', 'assets/react.js']);
  });

  it('counts scripts only', () => {
    expect(initialScripts(manifest, ['font.woff2'])).toEqual([]);
  });

  it('refuses an entry that was not built', () => {
    expect(() => initialScripts(manifest, ['src/gone.tsx'])).toThrow('src/gone.tsx');
  });
});
