import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { draftStatus } from './DraftNotices.tsx';
import type { Draft } from './use-draft.ts';

/** Whether a draft is saved, and the buttons to save, discard or leave it. */
export function EditorButtons<Content>({
  draft,
  isSaving,
  reason,
  save,
  back,
  leave,
  discard,
}: {
  readonly draft: Draft<Content>;
  readonly isSaving: boolean;
  /** Why the draft can't be saved; undefined if it can. */
  readonly reason: string | undefined;
  readonly save: () => void;
  /** The label of the button that leaves the editor. */
  readonly back: string;
  readonly leave: () => void;
  readonly discard: () => void;
}): ReactNode {
  const [isDiscarding, setIsDiscarding] = useState(false);
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {draftStatus(draft, isSaving)}
      </Text>
      {draft.isDirty && (
        <Button variant="subtle" onClick={() => setIsDiscarding(true)}>
          {t('Discard')}
        </Button>
      )}
      <Button variant="default" onClick={leave}>
        {back}
      </Button>
      <ActionButton loading={isSaving} reason={reason} onClick={save}>
        {t('Save')}
      </ActionButton>
      <DiscardDialog opened={isDiscarding} onClose={() => setIsDiscarding(false)} onDiscard={discard} />
    </>
  );
}
