import type { User } from '@casewatch/contracts/identity';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useRef, useState } from 'react';
import { useMe } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { UpgradeDialog, useUpgradePrompt } from '../../components/upgrade-dialog.tsx';
import { serverNowMs } from '../../lib/server-clock.ts';
import { DownloadStatus } from '../exports/download-status.tsx';
import { useDownload } from '../exports/use-download.ts';
import { DeleteAccount } from './delete-account-dialog.tsx';
import { ProfileFrame } from './profile-frame.tsx';

const ExportDialog = lazy(async () => ({
  default: (await import('../exports/export-dialog.tsx')).ExportDialog,
}));

/** Renders what can be done with the data of the signed-in user: taken along, and deleted with the account. */
export function DataPage() {
  const { user } = useMe();
  if (!user) return null;
  return (
    <ProfileFrame title={t`Data`} subtitle={t`Take your data with you, or delete your account`}>
      <YourData user={user} />
      <DeleteAccount />
    </ProfileFrame>
  );
}

/** Renders what the user can take along: the case data as files (Pro), and all that is held about the account. */
function YourData({ user }: { user: User }) {
  const [isExporting, setIsExporting] = useState(false);
  const upgrade = useUpgradePrompt();
  const { state, start, cancel } = useDownload();
  const action = useRef<HTMLButtonElement>(null);
  const isLoading = state.kind === 'loading';
  const download = () =>
    void start(async (signal, onProgress) => {
      const { loadMyData } = await import('../exports/my-data-file.ts');
      return loadMyData(new Date(serverNowMs()), signal, onProgress);
    });
  const giveUp = () => {
    cancel();
    action.current?.focus();
  };
  return (
    <section className="card profile-card" aria-labelledby="your-data">
      <h2 id="your-data">
        <Trans>Your data</Trans>
      </h2>
      <div className="profile-row">
        <p>
          <Trans>
            Your cases with their history and notifications, as a table (CSV), a report to print, or a file
            for other programs (JSON). Included in Pro.
          </Trans>
        </p>
        <Button
          onClick={() => (user.tier === 'pro' ? setIsExporting(true) : upgrade.ask(t`Export of case data`))}
        >
          <Trans>Export case data</Trans>
        </Button>
      </div>
      <div className="profile-row">
        <p>
          <Trans>
            Everything we store about your account, in one file (JSON). It does not include passwords or other
            secrets.
          </Trans>
        </p>
        {isLoading && (
          <Button onClick={giveUp}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button ref={action} aria-disabled={isLoading} onClick={download}>
          <Trans>Download my data</Trans>
        </Button>
        <DownloadStatus state={state} unit="parts" />
      </div>
      <UpgradeDialog {...upgrade.dialog} />
      {isExporting && (
        <Suspense fallback={null}>
          <ExportDialog onHide={() => setIsExporting(false)} />
        </Suspense>
      )}
    </section>
  );
}
