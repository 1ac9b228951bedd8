import { describe, expect, it } from 'vitest';
import { otherTheme, parseTheme, THEME_KEY } from './theme.ts';
import bootScript from './theme-boot.js?raw';

describe('parseTheme', () => {
  it.each([
    ['dark', 'dark'],
    ['light', 'light'],
    [null, 'light'],
    ['DARK', 'light'],
    ['purple', 'light'],
  ] as const)('reads %j as %s', (stored, theme) => {
    expect(parseTheme(stored)).toBe(theme);
  });
});

describe('otherTheme', () => {
  it('goes back and forth', () => {
    expect(otherTheme('light')).toBe('dark');
    expect(otherTheme('dark')).toBe('light');
  });
});

describe('the script in the head', () => {
  it.each(['dark', 'light', null, 'purple'])('agrees with parseTheme about %j', (stored) => {
    const root = boot((key) => (key === THEME_KEY ? stored : null));
    const theme = parseTheme(stored);
    const bars = theme === 'dark' ? [{ name: 'theme-color', content: '#0f1716' }] : [];
    expect(root).toEqual({
      dark: theme === 'dark',
      'data-bs-theme': theme,
      style: { colorScheme: theme },
      bars,
    });
  });

  it('falls back to light where storage is forbidden', () => {
    const root = boot(() => {
      throw new Error('SecurityError');
    });
    expect(root).toEqual({
      dark: false,
      'data-bs-theme': 'light',
      style: { colorScheme: 'light' },
      bars: [],
    });
  });
});

function boot(getItem: (key: string) => string | null): Record<string, unknown> {
  const style = {};
  const bars: object[] = [];
  const root: Record<string, unknown> = { style, bars };
  const documentElement = {
    style,
    classList: { toggle: (name: string, on: boolean) => (root[name] = on) },
    setAttribute: (name: string, value: string) => (root[name] = value),
  };
  const head = { append: (element: object) => bars.push(element) };
  const page = { documentElement, head, createElement: () => ({}) };
  new Function('localStorage', 'document', bootScript)({ getItem }, page);
  return root;
}
