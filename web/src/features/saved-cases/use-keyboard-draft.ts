import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react';

/** Keys that choose, or begin to; every other key types ahead. */
const NOT_A_CHOICE = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Escape', 'Enter']);

interface SelectHandlers {
  onChange: (event: ChangeEvent<HTMLSelectElement>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerDown: () => void;
  onBlur: () => void;
}

/**
 * With the arrow keys a selector passes through values that are not wanted: what is chosen by keyboard is a draft until Enter,
 * or until the selector is left. `read` gives the value of an option, or undefined for none.
 */
export function useKeyboardDraft<Value extends string>(
  read: (text: string) => Value | undefined,
  onChoose: (wanted: Value) => void,
): { draft: Value | undefined; control: SelectHandlers } {
  const isByKeyboard = useRef(false);
  const [draft, setDraft] = useState<Value>();
  const choose = (wanted: Value) => {
    setDraft(undefined);
    isByKeyboard.current = false;
    onChoose(wanted);
  };
  const chooseDraft = () => {
    if (draft !== undefined) choose(draft);
  };
  return {
    draft,
    control: {
      onChange: ({ currentTarget }) => {
        const wanted = read(currentTarget.value);
        if (wanted === undefined) return;
        if (isByKeyboard.current) setDraft(wanted);
        else choose(wanted);
      },
      onKeyDown: ({ key }) => {
        if (key === 'Enter') chooseDraft();
        if (key === 'Escape') setDraft(undefined);
        if (!NOT_A_CHOICE.has(key)) isByKeyboard.current = true;
      },
      onPointerDown: () => {
        isByKeyboard.current = false;
      },
      onBlur: chooseDraft,
    },
  };
}
