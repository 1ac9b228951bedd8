import '../../styles/landing.scss';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { LandingPage } from './landing-page.tsx';
import { leaveWhenSignedIn } from './leave-when-signed-in.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root to render into');

// The build fills the page in; the development server leaves it empty.
if (root.hasChildNodes()) hydrateRoot(root, <LandingPage />);
else createRoot(root).render(<LandingPage />);
leaveWhenSignedIn();
