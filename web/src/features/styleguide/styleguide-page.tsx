import './styleguide.scss';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { BenefitList } from '../../components/benefit-list.tsx';
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/check-field.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { NeedsAction } from '../../components/needs-action.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextAreaField } from '../../components/text-area-field.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';

const STATUSES = [
  'Case Was Approved',
  'Case Was Denied',
  'Case Was Received',
  'Request for Additional Evidence Was Sent',
];

const FAILURE = new ApiError({
  status: 503,
  text: '',
  statusText: 'Service Unavailable',
  retryAfterSeconds: undefined,
});

/** Renders every token and every component in every state. A page of the development server alone. */
export function StyleguidePage() {
  return (
    <main className="styleguide">
      <PageHeading title="Style guide" />
      <p>
        The tokens of <code>web/src/styles/_tokens.scss</code> and the components that the screens are made
        of, in every state. The theme is the one that was chosen last in the app.
      </p>
      <Tokens />
      <Actions />
      <Fields />
      <Messages />
    </main>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card styleguide-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Tokens() {
  const tokens = tokensIn(document.styleSheets);
  const set = getComputedStyle(document.documentElement);
  return (
    <Part title="Tokens">
      <ul className="styleguide-tokens">
        {tokens.map((name) => (
          <li key={name}>
            <span style={sampleOf(name)} aria-hidden="true">
              {name.includes('-text-') && 'Aa'}
            </span>
            <div>
              <code>{name}</code>
              <br />
              {set.getPropertyValue(name)}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Returns the names of the tokens that the style sheets set on the root, in their order, each once. */
function tokensIn(sheets: Iterable<CSSStyleSheet>): string[] {
  const names = new Set<string>();
  for (const sheet of sheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') continue;
      for (const name of rule.style) if (/^--cw-.*(?<!-rgb)$/.test(name)) names.add(name);
    }
  }
  return [...names];
}

/** What shows a token: its color, its corners, its shadow, its size of text, its width; what moves does so under the pointer. */
function sampleOf(name: string) {
  const value = `var(${name})`;
  if (name.includes('radius')) return { borderRadius: value };
  if (name.includes('shadow')) return { boxShadow: value };
  if (name.includes('-text-')) return { width: 'auto', height: 'auto', border: 0, fontSize: value };
  if (name.includes('-space-'))
    return { width: value, maxWidth: '50%', border: 0, background: 'var(--cw-primary)' };
  if (name.endsWith('-ease')) return { transition: `transform var(--cw-motion-turn) ${value}` };
  if (name.includes('motion')) return { transition: `transform ${value}` };
  return { background: value };
}

function Actions() {
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  return (
    <Part title="Actions">
      {(['primary', 'secondary', 'small'] as const).map((look) => (
        <div key={look} className="styleguide-row">
          <Button look={look}>{look}</Button>
          <Button look={look} disabled>
            {look}, disabled
          </Button>
        </div>
      ))}
      <div className="styleguide-row">
        <button type="button" className="btn btn-danger" onClick={() => setAsking(true)}>
          Ask before deleting
        </button>
        <Button onClick={() => toast({ title: 'Case saved', description: 'It can be undone.' })}>
          Show a toast
        </Button>
        <Button onClick={() => toast({ title: 'Error', description: 'It failed.', variant: 'destructive' })}>
          Show a destructive toast
        </Button>
        <CopyButton text="EAC9999103403" label="Copy the receipt number" />
        <a href="#top">Back to the top</a>
        <kbd>Ctrl</kbd> <code>code</code>
      </div>
      <details>
        <summary>What unfolds</summary>
        <p>What was folded.</p>
      </details>
      <ConfirmDialog
        show={isAsking}
        title="Delete this case?"
        confirmLabel="Delete"
        destructive
        onConfirm={() => setAsking(false)}
        onHide={() => setAsking(false)}
      >
        What is lost, and what stays.
      </ConfirmDialog>
    </Part>
  );
}

function Fields() {
  return (
    <Part title="Fields">
      <div className="styleguide-fields">
        <FormField label="A field" hint="What it is for." placeholder="Placeholder" />
        <FormField label="A field with an error" defaultValue="ada@" error="Invalid email address" />
        <FormField label="A field that is disabled" defaultValue="Ada" disabled />
        <FormField label="A date" type="date" />
        <SelectField label="A choice" options={[['none', 'None'] as const, ['daily', 'Daily'] as const]} />
        <SelectField
          label="A choice with an error"
          options={[['none', 'None'] as const]}
          error="Choose one"
        />
        <TextAreaField label="A long answer" hint="In your own words." />
        <TextAreaField label="A long answer with an error" error="Title is required" />
        <div>
          <CheckField label="Off" hint="With a hint." />
          <CheckField label="On" defaultChecked />
          <CheckField label="On and disabled" defaultChecked disabled />
        </div>
        <fieldset>
          <legend className="visually-hidden">One of two</legend>
          {['First', 'Second'].map((name, nth) => (
            <label key={name} className="styleguide-row">
              <input type="radio" name="one" className="choice-input" defaultChecked={nth === 0} />
              {name}
            </label>
          ))}
        </fieldset>
      </div>
    </Part>
  );
}

function Messages() {
  return (
    <Part title="What is told">
      <div className="styleguide-row">
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
        <NeedsAction />
      </div>
      <Spinner />
      <LoadFailure isPart error={FAILURE} onRetry={() => undefined}>
        <p>The cases could not be loaded.</p>
      </LoadFailure>
      <div className="form-problem" role="alert">
        <p>What is wrong with all of a form.</p>
      </div>
      <BenefitList benefits={['What is part of a plan', 'And another part']} />
    </Part>
  );
}
