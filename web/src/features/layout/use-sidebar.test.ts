import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSidebarOpen, rememberSidebar } from './use-sidebar.ts';

describe('readSidebarOpen', () => {
  it.each([
    ['', true],
    ['sidebar_state=true', true],
    ['sidebar_state=false', false],
    ['a=1; sidebar_state=false; b=2', false],
    ['not_sidebar_state=false', true],
    ['sidebar_state=nonsense', true],
  ])('reads %j as open: %s', (cookies, open) => {
    expect(readSidebarOpen(cookies)).toBe(open);
  });
});

describe('rememberSidebar', () => {
  it('keeps the state for 7 days on the whole site', () => {
    const page = { cookie: '' };
    rememberSidebar(page, false);
    expect(page.cookie).toBe('sidebar_state=false; path=/; max-age=604800; samesite=lax');
  });

  it.each([true, false])('writes what readSidebarOpen reads: %s', (open) => {
    const page = { cookie: '' };
    rememberSidebar(page, open);
    expect(readSidebarOpen(page.cookie.split(';')[0] ?? '')).toBe(open);
  });

  it.each([
    ['cookies.md', 'days'],
    ['cookies.es.md', 'días'],
  ])('is in the cookie notice %s, with its time', (file, days) => {
    const page = { cookie: '' };
    rememberSidebar(page, true);
    const [, name, seconds] = /^(\w+)=.*max-age=(\d+)/.exec(page.cookie) ?? [];
    const notice = readFileSync(new URL(`../../../public/policies/${file}`, import.meta.url), 'utf8');
    const row = notice.split('\n').find((line) => line.startsWith(`| Cookie \`${name}\` |`));
    expect(row).toContain(`| ${Number(seconds) / 86_400} ${days} |`);
  });
});
