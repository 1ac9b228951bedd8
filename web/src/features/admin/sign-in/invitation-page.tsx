import { Button } from '../../../components/button.tsx';
import { useFailureToast } from '../../../components/toast/toast-provider.tsx';
import '../admin.scss';
import { ADMIN_PASSWORD_MIN_LENGTH, acceptInvitationBody } from '@casewatch/contracts/administrators';
import { useState } from 'react';
import { encode } from 'uqr';
import { useAcceptInvitation, useInvitation } from '../../../api/admin-session.ts';
import { failureText, hasCode } from '../../../api/api-error.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorReference } from '../../../components/error-reference.tsx';
import { FormField } from '../../../components/form-field.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { useCheckedForm } from '../../../lib/use-checked-form.ts';
import { withLinkToken } from '../../../lib/with-link-token.tsx';
import { CardPage } from '../../layout/card-page.tsx';
import { ROLE_HINTS, ROLE_WORDS } from '../shared/admin-words.tsx';

/** Where the link of an invitation leads: name and password, authenticator app, recovery codes. */
export const InvitationPage = withLinkToken(({ token }) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { data, error, isFetching, refetch } = useInvitation(token);

  if (codes) return <RecoveryCodes codes={codes} />;
  if (data) return <Setup token={token} invitation={data} onDone={setCodes} />;
  const isMissing = hasCode(error, 'INVITATION_NOT_FOUND');
  return (
    <CardPage heading={{ title: 'Invitation', documentTitle: 'Admin invitation' }}>
      {isFetching ? (
        <Spinner />
      ) : (
        <div className="form-stack" role="alert">
          <p className="mb-0">
            {failureText(error, 'The invitation could not be loaded. Check your connection.')}
          </p>
          <ErrorReference error={error} />
          {!isMissing && (
            <Button look="primary" onClick={() => void refetch()}>
              Try again
            </Button>
          )}
        </div>
      )}
    </CardPage>
  );
});

interface SetupProps {
  token: string;
  invitation: NonNullable<ReturnType<typeof useInvitation>['data']>;
  onDone: (recoveryCodes: readonly string[]) => void;
}

function Setup({ token, invitation, onDone }: SetupProps) {
  const { email, role, secret, uri } = invitation;
  const accept = useAcceptInvitation();
  const fail = useFailureToast();
  const { errors, formProps } = useCheckedForm({
    fields: ['name', 'password', 'code'],
    schema: acceptInvitationBody,
    toValues: (texts) => ({ ...texts, token }),
    submit: async (values) => onDone((await accept.mutateAsync(values)).recoveryCodes),
    onRefused: (error) => fail(error, 'Check your connection and try again.', 'Couldn’t set up your account'),
  });
  return (
    <CardPage
      heading={{
        title: 'Set up your administrator account',
        documentTitle: 'Admin invitation',
        subtitle: `${email}, as ${ROLE_WORDS[role].toLowerCase()}. ${ROLE_HINTS[role]}`,
      }}
    >
      <form {...formProps} className="form-stack">
        <h2 className="admin-step">1. Your name and password</h2>
        {/* So that password managers know which account the password is for. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <FormField
          label="Name"
          name="name"
          autoComplete="name"
          hint="It is shown in the audit trail."
          error={errors.name}
        />
        <FormField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${ADMIN_PASSWORD_MIN_LENGTH} characters.`}
          error={errors.password}
        />
        <h2 className="admin-step">2. Your authenticator app</h2>
        <p className="mb-0">Scan this with an app such as Aegis, 1Password or Google Authenticator.</p>
        <QrCode text={uri} label="QR code for your authenticator app. The key below is the same." />
        <div>
          <p className="form-text mb-1">Or type this key into the app:</p>
          <code className="admin-key">{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        </div>
        <CopyButton text={secret} label="Copy the key" />
        <FormField
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="The six digits that the app shows now."
          error={errors.code}
        />
        <button type="submit" className="btn btn-primary btn-lg" disabled={accept.isPending}>
          {accept.isPending ? 'Setting up...' : 'Set up my account'}
        </button>
      </form>
    </CardPage>
  );
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <CardPage
      heading={{
        title: 'Save your recovery codes',
        documentTitle: 'Recovery codes',
        subtitle: 'Each code works once if you lose your authenticator app. They are not shown again.',
      }}
    >
      <div className="form-stack">
        <ol className="admin-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <CopyButton text={codes.join('\n')} label="Copy all codes" />
        {/* A plain link: the codes leave the page's memory with it. */}
        <a className="btn btn-primary btn-lg" href="/admin">
          I have saved them, continue
        </a>
      </div>
    </CardPage>
  );
}

/** Renders a QR code as a picture, dark on light in either theme, as cameras want it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
