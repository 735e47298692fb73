import { useWindowEvent } from '@mantine/hooks';

/**
 * Undoes with Ctrl Z, redoes with Ctrl Shift Z or Ctrl Y, and saves with Ctrl S, anywhere in the editor except in a
 * dialog or another editor, where these keys undo and redo typing.
 */
export function useEditKeys(actions: {
  readonly isEnabled: boolean;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
}): void {
  useWindowEvent('keydown', (event) => {
    const action = actionOf(event);
    const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
    if (action === undefined || isInDialog || event.defaultPrevented || !actions.isEnabled) return;
    event.preventDefault();
    actions[action]();
  });
}

function actionOf({
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  key,
}: KeyboardEvent): 'undo' | 'redo' | 'save' | undefined {
  if ((!ctrlKey && !metaKey) || altKey) return undefined;
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? 'redo' : 'undo';
    case 'y':
      return 'redo';
    case 's':
      return shiftKey ? undefined : 'save';
    default:
      return undefined;
  }
}
