import {
  cloneElement,
  createContext,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { openingDelayMs, TOOLTIP_DELAY_MS, type TooltipPlacement, tooltipPosition } from './tooltip-rules.ts';

interface TooltipGroup {
  delayMs: number;
  lastClosedAtMs: number | null;
}

const TooltipContext = createContext<TooltipGroup>({ delayMs: TOOLTIP_DELAY_MS, lastClosedAtMs: null });

/** Sets the delay of every tooltip inside it; without one it is 700 ms. */
export function TooltipProvider({ delayMs, children }: { delayMs: number; children: ReactNode }) {
  const group = useRef<TooltipGroup>({ delayMs, lastClosedAtMs: null });
  return <TooltipContext value={group.current}>{children}</TooltipContext>;
}

type AnchorProps = Pick<
  HTMLAttributes<HTMLElement>,
  | 'aria-describedby'
  | 'onPointerEnter'
  | 'onPointerLeave'
  | 'onPointerDown'
  | 'onFocus'
  | 'onBlur'
  | 'onKeyDown'
>;

interface TooltipProps {
  text: string;
  placement?: TooltipPlacement;
  /** Never opens while true. */
  disabled?: boolean;
  /** The focusable element the tooltip speaks of. It needs a name of its own, and of the handlers set here at most `onKeyDown`. */
  children: ReactElement<AnchorProps>;
}

/** Renders a few words next to an element under the pointer or with the keyboard's focus. Escape closes it. */
export function Tooltip({ text, placement = 'top', disabled = false, children }: TooltipProps) {
  const id = useId();
  const { anchor, openSoon, close } = useDelayedAnchor();
  if (disabled) return children;

  const listening = cloneElement(children, {
    'aria-describedby': anchor === null ? undefined : id,
    onPointerEnter: (event) => event.pointerType === 'mouse' && openSoon(event.currentTarget),
    onPointerLeave: close,
    onPointerDown: close,
    onFocus: (event) => event.currentTarget.matches(':focus-visible') && openSoon(event.currentTarget),
    onBlur: close,
    onKeyDown: (event) => {
      children.props.onKeyDown?.(event);
      if (event.key === 'Escape') close();
    },
  });
  return (
    <>
      {listening}
      {anchor !== null && <TooltipBox id={id} text={text} placement={placement} anchor={anchor} />}
    </>
  );
}

/** The element whose tooltip is open, or null; it opens after the delay and closes at once. */
function useDelayedAnchor() {
  const group = useContext(TooltipContext);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<number>(undefined);

  const openSoon = (element: HTMLElement) => {
    window.clearTimeout(timer.current);
    const delay = openingDelayMs(group.delayMs, performance.now(), group.lastClosedAtMs);
    timer.current = window.setTimeout(() => setAnchor(element), delay);
  };
  const close = () => {
    window.clearTimeout(timer.current);
    if (anchor !== null) group.lastClosedAtMs = performance.now();
    setAnchor(null);
  };

  useEffect(() => () => window.clearTimeout(timer.current), []);
  return { anchor, openSoon, close };
}

interface TooltipBoxProps {
  id: string;
  text: string;
  placement: TooltipPlacement;
  anchor: HTMLElement;
}

function TooltipBox({ id, text, placement, anchor }: TooltipBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState({ left: 0, top: 0 });

  useLayoutEffect(() => {
    if (box.current === null) return;
    const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight };
    setPosition(
      tooltipPosition(
        anchor.getBoundingClientRect(),
        box.current.getBoundingClientRect(),
        placement,
        viewport,
      ),
    );
  }, [anchor, placement]);

  return (
    <div className="tooltip-box" role="tooltip" id={id} ref={box} style={position}>
      {text}
    </div>
  );
}
