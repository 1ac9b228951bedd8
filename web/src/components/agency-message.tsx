import { Trans } from '@lingui/react/macro';
import './agency-message.scss';

/** Quotes what the agency said of a failure, as text and marked as its words, which are English; nothing where it said nothing. */
export function AgencyMessage({ words }: { words: string | undefined }) {
  if (!words) return null;
  return (
    <span className="agency-message">
      {/* Not a value of the text: Lingui reads tags in values. */}
      <Trans>USCIS says:</Trans> <q lang="en">{words}</q>
    </span>
  );
}
