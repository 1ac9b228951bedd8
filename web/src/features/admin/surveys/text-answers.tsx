import { isAdminEnded } from '../../../api/admin-client.ts';
import { useTextAnswers } from '../../../api/admin-surveys.ts';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { formatMoment } from '../../../lib/format-moment.ts';
import { TimeZoneNote } from '../shared/time-zone-note.tsx';

interface TextAnswersProps {
  questionId: string;
  /** The question has no answers. */
  isEmpty: boolean;
}

/** Renders what people wrote, newest first. */
export function TextAnswers({ questionId, isEmpty }: TextAnswersProps) {
  const texts = useTextAnswers(questionId);
  const { data, error, isFetchingNextPage, isFetchNextPageError, hasNextPage } = texts;
  const answers = data?.pages.flat() ?? [];
  if (error && data === undefined) {
    return (
      <LoadFailure className="question-item-facts" error={error} onRetry={() => void texts.refetch()} isPart>
        <p>The answers could not be loaded.</p>
      </LoadFailure>
    );
  }
  if (isEmpty && answers.length === 0) return null;
  return (
    <>
      <ul className="text-answers">
        {answers.map(({ id, text, createdAt }) => (
          <li key={id}>
            <p>{text}</p>
            <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </li>
        ))}
      </ul>
      {answers.length > 0 && <TimeZoneNote />}
      {isFetchNextPageError && !isAdminEnded(error) && (
        <div role="alert">
          <p className="field-error">More answers could not be loaded. Please try again.</p>
          <ErrorReference error={error} />
        </div>
      )}
      {hasNextPage && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary results-more"
          disabled={isFetchingNextPage}
          onClick={() => void texts.fetchNextPage()}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load more'}
        </button>
      )}
    </>
  );
}
