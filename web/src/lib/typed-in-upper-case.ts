import { upperLatin } from '@casewatch/contracts/receipt-number';
import type { ChangeEvent, CompositionEvent } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Returns the handlers of a field for receipt numbers: its text is put into upper case as it is typed. A text that a
 * keyboard is composing (IME) stays as it is until it is done, since the keyboard would compose what it finds again.
 */
export function typedInUpperCase(onText: (text: string, isComposing: boolean) => void) {
  return {
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<Field>) => {
      const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
      onText(isComposing ? currentTarget.value : upperCaseInPlace(currentTarget), isComposing);
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Field>) =>
      onText(upperCaseInPlace(currentTarget), false),
  };
}

/** The field itself is changed, not only the state behind it: React would throw the caret to the end while the user edits in the middle. */
function upperCaseInPlace(field: Field): string {
  const text = upperLatin(field.value);
  if (text !== field.value) {
    const { selectionStart, selectionEnd } = field;
    field.value = text;
    field.setSelectionRange(selectionStart, selectionEnd);
  }
  return text;
}
