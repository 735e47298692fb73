/**
 * Replaces the selection in a field and the `before` characters before it, or inserts at its caret, and puts the caret behind what
 * was inserted.
 */
export function insertAtCaret(
  field: HTMLTextAreaElement | HTMLInputElement | null,
  text: string,
  inserted: string,
  onChange: (text: string) => void,
  before = 0,
): void {
  const start = (field?.selectionStart ?? text.length) - before;
  const end = field?.selectionEnd ?? text.length;
  onChange(text.slice(0, start) + inserted + text.slice(end));
  // After the field has the new text.
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(start + inserted.length, start + inserted.length);
  });
}
