import { HAS_ACCOUNT, IS_NEW } from '@casewatch/contracts/app-pages';
import { isReceiptNumber } from '@casewatch/contracts/receipt-number';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { matchPath, useLocation } from 'react-router-dom';
import { useOffersPro, useTrialDays } from '../../api/billing.ts';
import { returnPath } from '../../lib/own-path.ts';
import { CardPage } from '../layout/card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const UPGRADE_PATH = '/upgrade';

/** Renders the forms to sign in or make an account. Who succeeds is led on by the routes, which see the new user. */
export function AuthPage() {
  const { search, hash } = useLocation();
  const offersPro = useOffersPro();
  const wantsPro = returnPath(search) === UPGRADE_PATH && hash !== HAS_ACCOUNT;
  const [tab, setTab] = useState<string>(wantsPro || hash === IS_NEW ? 'sign-up' : 'sign-in');
  // What was typed in one form is there in the other.
  const [email, setEmail] = useState('');
  const isSignUp = tab === 'sign-up';
  const { receiptNumber } = matchPath('/cases/:receiptNumber', returnPath(search))?.params ?? {};
  return (
    <CardPage
      heading={{
        title: t`Immigration Case Status`,
        subtitle: isSignUp
          ? t`Sign up to check your immigration case status`
          : t`Sign in to check your immigration case status`,
        documentTitle: isSignUp ? t`Sign Up` : t`Sign In`,
      }}
    >
      {wantsPro && offersPro && <ProIntent />}
      {receiptNumber !== undefined && isReceiptNumber(receiptNumber) && (
        <p className="auth-reason">
          <Trans>
            Sign in or sign up to open case <span className="receipt-number">{receiptNumber}</span>.
          </Trans>
        </p>
      )}
      <Tabs
        activeKey={tab}
        onSelect={(key) => setTab(key ?? 'sign-in')}
        id="auth"
        variant="pills"
        justify
        className="segmented"
        transition={false}
        mountOnEnter
        unmountOnExit
      >
        <Tab eventKey="sign-in" title={t`Sign In`}>
          <SignInForm email={email} onEmail={setEmail} />
        </Tab>
        <Tab eventKey="sign-up" title={t`Sign Up`}>
          <SignUpForm email={email} onEmail={setEmail} />
        </Tab>
      </Tabs>
    </CardPage>
  );
}

/** Keeps in view what the visitor came for, and what it costs now. */
function ProIntent() {
  const trialDays = useTrialDays();
  return (
    <p className="auth-reason">
      {trialDays
        ? t`Sign up to start your ${trialDays}-day free trial of Pro. You pay nothing today.`
        : t`Sign up to get Pro.`}{' '}
      <Trans>Already have an account? Sign in.</Trans>
    </p>
  );
}
