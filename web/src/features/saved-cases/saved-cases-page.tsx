import './saved-cases.scss';
import { exportSavedCases } from '../../api/endpoints.ts';
import { useSavedCases } from '../../api/saved-cases.ts';
import { useMe } from '../../api/session.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { NoSavedCases } from './no-saved-cases.tsx';
import { SavedCaseList } from './saved-case-list.tsx';

/** The saved cases of the signed-in user. */
export function SavedCasesPage() {
  const { data: savedCases, isFetching, refetch } = useSavedCases();
  const { user } = useMe();
  return (
    <div className="saved-cases-page">
      <PageHeading
        title="Saved Cases"
        subtitle="The cases you keep an eye on"
        actions={user?.tier === 'pro' && savedCases && savedCases.length > 0 && <ExportLink />}
      />
      {savedCases ? (
        <>
          {savedCases.length === 0 && <NoSavedCases />}
          <SavedCaseList savedCases={savedCases} />
        </>
      ) : isFetching ? (
        <Spinner label="Loading saved cases..." />
      ) : (
        <LoadFailure onRetry={refetch} />
      )}
    </div>
  );
}

function ExportLink() {
  return (
    <a className="btn btn-outline-secondary btn-sm" href={exportSavedCases.path} download>
      Export CSV
    </a>
  );
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="card saved-cases-message" role="alert">
      <h2>Your saved cases could not be loaded</h2>
      <p>Nothing is lost. Check your internet connection and try again.</p>
      <button type="button" className="btn btn-primary" onClick={() => onRetry()}>
        Try again
      </button>
    </div>
  );
}
