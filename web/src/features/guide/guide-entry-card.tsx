import type { Language } from '@casewatch/contracts/languages';
import { type GuideRow, guidanceFor, guideId, type StatusGuidance } from '@casewatch/contracts/status-guide';
import { Trans } from '@lingui/react/macro';
import { NeedsAction } from '../../components/needs-action.tsx';

interface GuideEntryProps {
  row: GuideRow;
  language: Language;
}

/** Renders one status of the guide: its titles, what it means and what to do, and what differs for some forms. */
export function GuideEntry({ row, language }: GuideEntryProps) {
  const [title = '', ...others] = Object.keys(row.titles);
  const general = guidanceFor(title, '', language);
  const id = guideId(title);
  const name = (of: string) => (language === 'es' ? row.titles[of] : of);
  return (
    <article className="guide-entry" id={id} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <h3 id={`${id}-title`} data-searched>
        <a href={`#${id}`}>{name(title)}</a>
      </h3>
      {language === 'es' && <AgencyTitle title={title} />}
      {row.action && (
        <p data-searched>
          <NeedsAction />
        </p>
      )}
      {others.length > 0 && (
        <>
          <p className="guide-small">
            <Trans>Also for these statuses:</Trans>
          </p>
          <ul className="guide-titles">
            {others.map((other) => (
              <li key={other} id={guideId(other)} tabIndex={-1} data-searched>
                <a href={`#${guideId(other)}`}>{name(other)}</a>
                {language === 'es' && <AgencyTitle title={other} />}
              </li>
            ))}
          </ul>
        </>
      )}
      <Explanation {...general} />
      <FormDifferences row={row} title={title} language={language} general={general} />
    </article>
  );
}

/** As the agency writes it, also for readers of Spanish: they meet it in both languages. */
function AgencyTitle({ title }: { title: string }) {
  return (
    <span className="guide-small guide-agency-title" data-searched>
      <Trans>In English:</Trans> <span lang="en">{title}</span>
    </span>
  );
}

interface ExplanationProps extends Pick<StatusGuidance, 'means' | 'next'> {
  ifMissing?: string | undefined;
  link?: StatusGuidance['link'] | undefined;
  law?: string | undefined;
}

function Explanation({ means, next, ifMissing, link, law }: ExplanationProps) {
  return (
    <>
      <p data-searched>{means}</p>
      <p data-searched>
        <strong>
          <Trans>What to do:</Trans>
        </strong>{' '}
        {next}
      </p>
      {ifMissing && (
        <p>
          <strong>
            <Trans>If the notice does not come:</Trans>
          </strong>{' '}
          {ifMissing}
        </p>
      )}
      {(link || law) && (
        <p className="guide-small" data-searched>
          {link && (
            <>
              <Trans>On uscis.gov:</Trans> <a href={link.href}>{link.name}</a>
            </>
          )}
          {link && law && ' · '}
          {law && <Trans>Legal source: {law}</Trans>}
        </p>
      )}
    </>
  );
}

function FormDifferences({
  row,
  title,
  language,
  general,
}: GuideEntryProps & { title: string; general: StatusGuidance }) {
  const forms = Object.keys(row.forms ?? {});
  if (forms.length === 0) return null;
  return (
    <div className="guide-forms">
      {forms.map((form) => {
        const { means, next, link, law } = guidanceFor(title, form, language);
        return (
          <div key={form}>
            <h4 id={guideId(`${title} ${form}`)} data-searched>
              <Trans>For Form {form}</Trans>
            </h4>
            <Explanation
              {...{ means, next }}
              link={link.href === general.link.href ? undefined : link}
              law={law === general.law ? undefined : law}
            />
          </div>
        );
      })}
    </div>
  );
}
