import { describe, expect, it } from 'vitest';
import { everythingLoaded, initialFiles, initialScripts } from './initial-load.ts';

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

describe('initialFiles', () => {
  it('lists the styles too, and nothing that is loaded later', () => {
    const styled = { ...manifest, '_shared.js': { file: 'assets/shared.js', css: ['assets/shared.css'] } };
    expect(initialFiles(styled, ['index.html'])).toEqual([
      'assets/app.js',
      'assets/react.js',
      'assets/shared.js',
      'assets/shared.css',
    ]);
  });
});

describe('everythingLoaded', () => {
  const app = {
    ...manifest,
    'src/home.tsx': {
      file: 'assets/home.js',
      imports: ['index.html'],
      css: ['assets/home.css'],
      assets: ['assets/mark.svg'],
      dynamicImports: ['src/dialog.tsx', 'src/admin.tsx'],
    },
    'src/dialog.tsx': { file: 'assets/dialog.js' },
    'src/admin.tsx': { file: 'assets/admin.js', imports: ['_chart.js'] },
    '_chart.js': { file: 'assets/chart.js' },
  };

  it('follows what is loaded later too, with styles and pictures', () => {
    const files = everythingLoaded(app, 'index.html', () => true);
    expect(files).toContain('assets/dialog.js');
    expect(files).toContain('assets/home.css');
    expect(files).toContain('assets/mark.svg');
    expect(files).not.toContain('assets/landing.js');
  });

  it('leaves a module out with what it alone loads', () => {
    const files = everythingLoaded(app, 'index.html', (module) => module !== 'src/admin.tsx');
    expect(files).not.toContain('assets/admin.js');
    expect(files).not.toContain('assets/chart.js');
    expect(files).toContain('assets/react.js');
  });
});
