import { describe, expect, it } from 'vitest';
import { pagingWords } from './log-paging.tsx';

describe('pagingWords', () => {
  it('says nothing when there is one page', () => {
    expect(pagingWords({ page: 1, shown: 0, total: 0, isExact: true })).toBeNull();
    expect(pagingWords({ page: 1, shown: 50, total: 50, isExact: true })).toBeNull();
  });

  it('counts pages of 50', () => {
    expect(pagingWords({ page: 1, shown: 50, total: 51, isExact: true })).toEqual({
      pages: 2,
      range: 'Showing 1 to 50 of 51 logs',
      position: 'Page 1 of 2',
    });
    expect(pagingWords({ page: 2, shown: 1, total: 51, isExact: true })).toMatchObject({
      range: 'Showing 51 to 51 of 51 logs',
      position: 'Page 2 of 2',
    });
  });

  it('says when there are more than were counted', () => {
    expect(pagingWords({ page: 1, shown: 50, total: 10_000, isExact: false })).toMatchObject({
      range: 'Showing 1 to 50 of 10,000+ logs',
      position: 'Page 1 of 200+',
    });
  });

  it('leads back from a page that is not there', () => {
    expect(pagingWords({ page: 3, shown: 0, total: 60, isExact: true })?.range).toBe(
      'Showing 0 to 0 of 60 logs',
    );
  });
});
