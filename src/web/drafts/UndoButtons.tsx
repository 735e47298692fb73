import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { Draft } from './use-draft.ts';

/** Buttons that undo and redo the steps of an edit. */
export const UndoButtons = ({
  draft,
  onUndo,
  onRedo,
}: {
  readonly draft: Pick<Draft<unknown>, 'canUndo' | 'canRedo'>;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}): ReactNode => (
  <ActionIcon.Group>
    <StepButton label={t('Undo')} keys="Ctrl Z" isEnabled={draft.canUndo} onClick={onUndo}>
      <IconArrowBackUp size={18} />
    </StepButton>
    <StepButton label={t('Redo')} keys="Ctrl Shift Z" isEnabled={draft.canRedo} onClick={onRedo}>
      <IconArrowForwardUp size={18} />
    </StepButton>
  </ActionIcon.Group>
);

function StepButton({
  label,
  keys,
  isEnabled,
  onClick,
  children,
}: {
  readonly label: string;
  readonly keys: string;
  readonly isEnabled: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={label}
        {...(!isEnabled && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={isEnabled ? onClick : undefined}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
