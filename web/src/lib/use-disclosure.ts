import { type RefObject, useEffect, useRef, useState } from 'react';

interface Disclosure {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  /** For the button that opens it: it gets the focus back on closing. */
  trigger: RefObject<HTMLButtonElement | null>;
}

/** Returns the state of something that a button opens in its own place and that gives the focus back when it closes. */
export function useDisclosure(): Disclosure {
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);

  useEffect(() => {
    if (wasOpen.current && !isOpen) trigger.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false), trigger };
}
