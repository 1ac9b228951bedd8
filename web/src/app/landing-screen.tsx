import { useNavigate } from 'react-router-dom';
import { usePageTitle } from '../components/use-page-title.ts';
import { LandingPage } from '../features/landing/landing-page.tsx';

/** The landing page inside the app, for someone who has signed out or whose session has ended. */
export function LandingScreen() {
  const navigate = useNavigate();
  usePageTitle('Immigration Case Status');
  return <LandingPage onNavigate={navigate} />;
}
