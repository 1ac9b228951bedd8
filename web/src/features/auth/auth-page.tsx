import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { CardPage } from '../layout/card-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign in or make an account. Who succeeds is led on by the routes, which see the new user. */
export function AuthPage() {
  return (
    <CardPage
      heading={{
        title: 'Immigration Case Status',
        subtitle: 'Sign in to check your immigration case status',
        documentTitle: 'Sign In',
      }}
    >
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
