import { isReceiptNumber } from '@casewatch/contracts/receipt-number';
import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { matchPath, useLocation } from 'react-router-dom';
import { returnPath } from '../../lib/return-path.ts';
import { CardPage } from '../layout/card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign in or make an account. Who succeeds is led on by the routes, which see the new user. */
export function AuthPage() {
  const { search } = useLocation();
  const { receiptNumber } = matchPath('/cases/:receiptNumber', returnPath(search))?.params ?? {};
  return (
    <CardPage
      heading={{
        title: 'Immigration Case Status',
        subtitle: 'Sign in to check your immigration case status',
        documentTitle: 'Sign In',
      }}
    >
      {receiptNumber !== undefined && isReceiptNumber(receiptNumber) && (
        <p className="auth-reason">
          Sign in or sign up to open case <span className="receipt-number">{receiptNumber}</span>.
        </p>
      )}
      <Tabs
        defaultActiveKey="sign-in"
        id="auth"
        variant="pills"
        justify
        className="segmented"
        transition={false}
        mountOnEnter
        unmountOnExit
      >
        <Tab eventKey="sign-in" title="Sign In">
          <SignInForm />
        </Tab>
        <Tab eventKey="sign-up" title="Sign Up">
          <SignUpForm />
        </Tab>
      </Tabs>
    </CardPage>
  );
}
