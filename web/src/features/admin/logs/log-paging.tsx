import { ADMIN_LOG_PAGE_SIZE } from '@casewatch/contracts/limits';
import { Button } from '../../../components/button.tsx';
import { grouped } from '../shared/admin-words.tsx';

interface LogPagingProps {
  page: number;
  shown: number;
  total: number;
  isExact: boolean;
  /** There is something older than this page. */
  hasOlder: boolean;
  isLoading: boolean;
  onPage: (page: number) => void;
}

/** Renders which part of the log is shown, and the ways on; nothing when it is all of it. */
export function LogPaging({ page, shown, total, isExact, hasOlder, isLoading, onPage }: LogPagingProps) {
  const words = pagingWords({ page, shown, total, isExact });
  if (words === null) return null;
  const isLast = isExact ? page >= words.pages : !hasOlder;
  return (
    <nav className="log-paging" aria-label="Pages of the log" aria-busy={isLoading}>
      <p role="status">{words.range}</p>
      <div className="log-paging-steps">
        <Button disabled={page === 1 || isLoading} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        <span>{words.position}</span>
        <Button disabled={isLast || isLoading} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}

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
