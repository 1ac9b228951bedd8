import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router-dom';
import { useUnreadCount } from '../api/notifications.ts';
import { PRODUCT_NAME } from '../config/product.ts';

export interface PageHeadingProps {
  title: string;
  subtitle?: ReactNode;
  /** Where the screen belongs, above its heading. */
  trail?: ReactNode;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  /** The title of the browser tab, where it should differ from the heading. */
  documentTitle?: string;
}

interface FirstHeading {
  shown: boolean;
}

const FirstHeadingContext = createContext<FirstHeading>({ shown: false });

/** Remembers whether a screen has been shown before, for everything inside it. */
export function PageHeadingProvider({ children }: { children: ReactNode }) {
  const first = useRef<FirstHeading>({ shown: false });
  return <FirstHeadingContext value={first.current}>{children}</FirstHeadingContext>;
}

/**
 * Renders the h1 of a screen; also names the browser tab. It takes the focus, so that a screen reader reads the new screen's
 * name and Tab continues from its top; not when a menu or a dialog has opened since, and on the first load
 * only where the focus is nowhere yet.
 */
export function PageHeading({ title, subtitle, trail, actions, documentTitle = title }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useContext(FirstHeadingContext);
  // A link may be followed before the first screen has loaded.
  const followsLink = useRef(useNavigationType() === 'PUSH');
  usePageTitle(documentTitle);

  useEffect(() => {
    const focused = document.activeElement;
    if (first.shown || followsLink.current ? !isInPopup(focused) : focused === document.body) {
      heading.current?.focus({ preventScroll: true });
    }
    first.shown = true;
  }, [first]);

  return (
    <div className="page-heading">
      <div>
        {trail}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <p className="page-subtitle">{subtitle}</p>}
      </div>
      {actions !== undefined && <div className="page-heading-actions">{actions}</div>}
    </div>
  );
}

function isInPopup(focused: Element | null): boolean {
  return focused?.closest('[role="menu"], [role="dialog"]') != null;
}

/** Names the browser tab `<title> | Casewatch`, after the number of unread notifications, for as long as the screen is shown. */
export function usePageTitle(title: string): void {
  const unread = useUnreadCount();
  useEffect(() => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${title} | ${PRODUCT_NAME}`;
  }, [title, unread]);
}
