import Tab from 'react-bootstrap/Tab';
import Tabs from 'react-bootstrap/Tabs';
import { Link } from 'react-router-dom';
import { DisclaimerFooter } from '../../components/disclaimer-footer.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { Brand } from '../layout/brand.tsx';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign in or make an account. Who succeeds is led on by the routes, which see the new user. */
export function AuthPage() {
  return (
    <div className="auth-page">
      <header className="auth-header">
        <Link to="/" className="brand-link">
          <Brand />
        </Link>
        <ThemeToggle />
      </header>
      <main className="auth-main">
        <PageHeading
          title="Immigration Case Status"
          subtitle="Sign in to check your immigration case status"
          documentTitle="Sign In"
        />
        <div className="card auth-card">
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
        </div>
      </main>
      <DisclaimerFooter />
    </div>
  );
}
