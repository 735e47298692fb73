import { useWindowEvent } from '@mantine/hooks';

/**
 * Undoes by Ctrl Z, redoes by Ctrl Shift Z or Ctrl Y, and saves by Ctrl S, from wherever one is in the editor. In a
 * dialog the keys are its own: there they undo what is typed.
 */
export function useEditKeys(actions: {
  readonly isOn: boolean;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly save: () => void;
}): void {
  useWindowEvent('keydown', (event) => {
    const action = actionOf(event);
    const isInDialog = event.target instanceof Element && event.target.closest('[role=dialog]') !== null;
    if (action === undefined || isInDialog || !actions.isOn) return;
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
