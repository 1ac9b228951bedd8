import { isReceiptNumber } from '@casewatch/contracts/receipt-number';
import { useState } from 'react';
import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { matchPath, useLocation } from 'react-router-dom';
import { useTrialDays } from '../../api/billing.ts';
import { returnPath } from '../../lib/return-path.ts';
import { CardPage } from '../layout/card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const UPGRADE_PATH = '/upgrade';

/** Sign in or make an account. Who succeeds is led on by the routes, which see the new user. */
export function AuthPage() {
  const { search } = useLocation();
  const wantsPro = returnPath(search) === UPGRADE_PATH;
  const [tab, setTab] = useState<string>(wantsPro ? 'sign-up' : 'sign-in');
  // What was typed in one form is there in the other.
  const [email, setEmail] = useState('');
  const isSignUp = tab === 'sign-up';
  const { receiptNumber } = matchPath('/cases/:receiptNumber', returnPath(search))?.params ?? {};
  return (
    <CardPage
      heading={{
        title: 'Immigration Case Status',
        subtitle: `${isSignUp ? 'Sign up' : 'Sign in'} to check your immigration case status`,
        documentTitle: isSignUp ? 'Sign Up' : 'Sign In',
      }}
    >
      {wantsPro && <ProIntent />}
      {receiptNumber !== undefined && isReceiptNumber(receiptNumber) && (
        <p className="auth-reason">
          Sign in or sign up to open case <span className="receipt-number">{receiptNumber}</span>.
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
        <Tab eventKey="sign-in" title="Sign In">
          <SignInForm email={email} onEmail={setEmail} />
        </Tab>
        <Tab eventKey="sign-up" title="Sign Up">
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
        ? `Sign up to start your ${trialDays}-day free trial of Pro. You pay nothing today.`
        : 'Sign up to get Pro.'}{' '}
      Already have an account? Sign in.
    </p>
  );
}
