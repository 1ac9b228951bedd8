import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { moveInMenu } from './move-in-menu.ts';

const EDGE_PX = 8;
const GAP_PX = 4;
const ITEMS = '[role^="menuitem"]:not([aria-disabled="true"])';

interface MenuProps {
  /** The button that opened it, and gets the focus back. */
  anchor: HTMLElement;
  label: string;
  /** A `menu` holds commands that the arrow keys go through; a `group` any controls, which Tab goes through. */
  role?: 'menu' | 'group';
  onClose: () => void;
  children: ReactNode;
}

/** Renders what drops from a button. It is placed in the window, so that nothing it lies in can clip it. */
export function Menu({ anchor, label, role = 'menu', onClose, children }: MenuProps) {
  const panel = useRef<HTMLDivElement>(null);
  const place = useEffectEvent(() => {
    // The row that it belongs to is no longer in the page.
    if (!anchor.isConnected) onClose();
    else if (panel.current) placeAt(anchor, panel.current);
  });
  const closeOutside = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !panel.current?.contains(target) && !anchor.contains(target)) onClose();
  });
  useLayoutEffect(() => {
    place();
    const first = role === 'menu' ? ITEMS : 'input, select, button';
    panel.current?.querySelector<HTMLElement>(first)?.focus({ preventScroll: true });
    const follow = () => place();
    const press = (event: Event) => closeOutside(event);
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    document.addEventListener('pointerdown', press);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
      document.removeEventListener('pointerdown', press);
    };
  }, [role]);
  const close = () => {
    anchor.focus({ preventScroll: true });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || (event.key === 'Tab' && role === 'menu')) {
      // From the button Tab goes on as if the menu had never been there.
      if (event.key === 'Escape') event.preventDefault();
      return close();
    }
    if (role === 'menu') moveInMenu(event);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of two.
    <div
      className="popup-panel menu-panel"
      ref={panel}
      {...{ role, 'aria-label': label, tabIndex: -1 }}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (
          relatedTarget instanceof Node &&
          relatedTarget !== anchor &&
          !currentTarget.contains(relatedTarget)
        )
          onClose();
      }}
    >
      {children}
    </div>
  );
}

/** Below the button, or above it where there is more room, in line with its right edge. */
function placeAt(anchor: HTMLElement, panel: HTMLElement): void {
  const { top, bottom, right } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const height = panel.scrollHeight + 2;
  const below = clientHeight - bottom - GAP_PX - EDGE_PX;
  const above = top - GAP_PX - EDGE_PX;
  const isBelow = height <= below || below >= above;
  const left = Math.max(
    EDGE_PX,
    Math.min(right - panel.offsetWidth, clientWidth - panel.offsetWidth - EDGE_PX),
  );
  panel.style.maxHeight = `${Math.max(isBelow ? below : above, 120)}px`;
  panel.style.left = `${left}px`;
  panel.style.top = isBelow
    ? `${bottom + GAP_PX}px`
    : `${Math.max(EDGE_PX, top - GAP_PX - Math.min(height, above))}px`;
}

interface MenuButtonProps {
  words: ReactNode;
  /** What a screen reader calls it and its menu, where the words alone do not say it. */
  label?: string;
  menuLabel: string;
  role?: MenuProps['role'];
  isDisabled?: boolean;
  className?: string;
  children: (close: () => void) => ReactNode;
}

/** Renders a button and what drops from it. The function that the content gets closes it and gives the focus back. */
export function MenuButton({
  words,
  label,
  menuLabel,
  role = 'menu',
  isDisabled = false,
  className = 'btn btn-outline-secondary btn-sm',
  children,
}: MenuButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  useEffect(() => {
    if (isDisabled) setAnchor(undefined);
  }, [isDisabled]);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup={role === 'menu' ? 'menu' : undefined}
        aria-expanded={anchor !== undefined}
        aria-disabled={isDisabled || undefined}
        onClick={({ currentTarget }) =>
          !isDisabled && setAnchor((open) => (open ? undefined : currentTarget))
        }
      >
        {words}
      </button>
      {anchor && (
        <Menu anchor={anchor} label={menuLabel} role={role} onClose={() => setAnchor(undefined)}>
          {children(() => {
            anchor.focus({ preventScroll: true });
            setAnchor(undefined);
          })}
        </Menu>
      )}
    </>
  );
}

/** Renders a command of a menu. */
export function MenuItem({
  isDanger = false,
  onChoose,
  children,
}: {
  isDanger?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={`popup-item ${isDanger ? 'popup-item-danger' : ''}`}
      onClick={onChoose}
    >
      {children}
    </button>
  );
}
