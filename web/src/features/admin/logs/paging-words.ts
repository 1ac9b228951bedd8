import { ADMIN_LOG_PAGE_SIZE } from '@casewatch/contracts/limits';
import { grouped } from '../shared/admin-words.ts';

interface Paging {
  /** From 1. */
  page: number;
  /** How many rows are shown. */
  shown: number;
  total: number;
  /** False when there are at least `total`. */
  isExact: boolean;
}

export interface PagingWords {
  pages: number;
  range: string;
  position: string;
}

/** Returns what the paging beneath the table says; null when everything is on one page. */
export function pagingWords({ page, shown, total, isExact }: Paging): PagingWords | null {
  const pages = Math.ceil(total / ADMIN_LOG_PAGE_SIZE);
  if (pages <= 1 && page === 1) return null;
  const more = isExact ? '' : '+';
  const before = (page - 1) * ADMIN_LOG_PAGE_SIZE;
  const first = shown === 0 ? 0 : before + 1;
  return {
    pages,
    range: `Showing ${grouped(first)} to ${grouped(shown === 0 ? 0 : before + shown)} of ${grouped(total)}${more} logs`,
    position: `Page ${grouped(page)} of ${grouped(Math.max(pages, 1))}${more}`,
  };
}
