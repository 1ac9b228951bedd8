import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';

/** Goes to a path inside the app; null on the stand-alone page, where links load the app. */
export const NavigateContext = createContext<((path: string) => void) | null>(null);

/** A link to the sign-in screen: a plain link that the app, where it is running, follows without a load. */
export function AuthLink({ className, children }: { className: string; children: ReactNode }) {
  const navigate = useContext(NavigateContext);
  const onClick = (event: MouseEvent) => {
    const opensElsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (navigate === null || opensElsewhere) return;
    event.preventDefault();
    navigate('/auth');
  };
  return (
    <a className={className} href="/auth" onClick={onClick}>
      {children}
    </a>
  );
}
