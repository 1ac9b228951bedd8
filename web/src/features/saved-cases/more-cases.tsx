import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { useSavedCasePages } from '../../api/workspace.ts';
import { Button } from '../../components/button.tsx';
import { ErrorReference } from '../../components/error-reference.tsx';
import { count } from '../../lib/format-number.ts';

/** The next page is read ahead of this distance. */
const AHEAD = '800px';

interface MoreCasesProps {
  pages: ReturnType<typeof useSavedCasePages>;
  shown: number;
  total: number;
}

/** Reads the next page when its end comes near, or by a button where that fails or scrolling is not the way. */
export function MoreCases({ pages, shown, total }: MoreCasesProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const end = useRef<HTMLDivElement>(null);
  const canRead = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!canRead || !end.current) return;
    const observer = new IntersectionObserver(
      // A busy browser reports several frames at once: the oldest first, perhaps from before the end came near.
      (frames) => frames.some(({ isIntersecting }) => isIntersecting) && void fetchNextPage(),
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canRead, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div className="more-cases" ref={end}>
      {isFetchNextPageError && (
        <div role="alert">
          <p>
            <Trans>More cases could not be loaded.</Trans>
          </p>
          <ErrorReference error={pages.error} />
        </div>
      )}
      <Button look="secondary" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? t`Loading...` : t`Show more`}
      </Button>
      <span>
        <Trans>
          {count(shown)} of {count(total)}
        </Trans>
      </span>
    </div>
  );
}
