import { pagingWords } from './paging-words.ts';

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
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={page === 1 || isLoading}
          onClick={() => onPage(page - 1)}
        >
          Previous
        </button>
        <span>{words.position}</span>
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={isLast || isLoading}
          onClick={() => onPage(page + 1)}
        >
          Next
        </button>
      </div>
    </nav>
  );
}
