import { describe, expect, it } from 'vitest';
import { readFilters, readPage, withFilters, withPage } from './log-filters.ts';

describe('the filters in the address', () => {
  it('are read back as they were written', () => {
    const filters = {
      receiptNumber: 'IOE0123456789',
      user: 'Ada & Co',
      source: 'monitor',
      success: 'false',
      statusCode: '404',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    } as const;
    const address = withFilters(new URLSearchParams('tab=logs'), filters).toString();
    expect(readFilters(new URLSearchParams(address))).toEqual(filters);
    expect(address).toContain('tab=logs');
  });

  it('leave out what makes no sense', () => {
    const address = 'source=robot&success=maybe&statusCode=9999&from=soon&receiptNumber=%20&user=';
    expect(readFilters(new URLSearchParams(address))).toEqual({});
  });

  it('begin at the first page and remove what is no longer given', () => {
    const next = withFilters(new URLSearchParams('page=4&user=ada'), { success: 'true' });
    expect(next.toString()).toBe('success=true');
  });
});

describe('the page in the address', () => {
  it.each([
    ['', 1],
    ['page=3', 3],
    ['page=0', 1],
    ['page=-2', 1],
    ['page=1.5', 1],
    ['page=x', 1],
  ])('%j means page %d', (address, page) => {
    expect(readPage(new URLSearchParams(address))).toBe(page);
  });

  it('is not written for the first one', () => {
    expect(withPage(new URLSearchParams('page=2'), 1).toString()).toBe('');
    expect(withPage(new URLSearchParams('user=a'), 2).toString()).toBe('user=a&page=2');
  });
});
