/**
 * Puts the text of a field into upper case and gives it back. The field itself is changed, not only the state
 * behind it: React would otherwise throw the caret to the end while the user edits in the middle.
 */
export function upperCaseInPlace(field: HTMLInputElement | HTMLTextAreaElement): string {
  const text = field.value.toUpperCase();
  if (text !== field.value) {
    const { selectionStart, selectionEnd } = field;
    field.value = text;
    field.setSelectionRange(selectionStart, selectionEnd);
  }
  return text;
}
