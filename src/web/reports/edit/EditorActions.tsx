import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DiscardDialog } from '../../drafts/DiscardDialog.tsx';
import { draftStatus } from '../../drafts/DraftNotices.tsx';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import type { ReportDraft } from './content.ts';

/** Whether the report is saved, and the buttons to save or leave it. */
export function EditorActions({
  draft,
  isNew,
  isSaving,
  save,
  leave,
  discard,
  reason,
}: {
  readonly draft: ReportDraft;
  readonly isNew: boolean;
  readonly isSaving: boolean;
  readonly save: () => void;
  readonly leave: () => void;
  readonly discard: () => void;
  readonly reason: string | undefined;
}): ReactNode {
  const [isDiscarding, setIsDiscarding] = useState(false);
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {draftStatus(draft, isSaving)}
      </Text>
      {draft.isDirty && (
        <Button variant="subtle" onClick={() => setIsDiscarding(true)}>
          Discard
        </Button>
      )}
      <Button variant="default" onClick={leave}>
        {isNew ? 'Back to reports' : 'Back to the report'}
      </Button>
      <ActionButton
        loading={isSaving}
        reason={reason ?? (draft.isDirty ? undefined : 'There are no changes to save.')}
        onClick={save}
      >
        Save
      </ActionButton>
      <DiscardDialog opened={isDiscarding} onClose={() => setIsDiscarding(false)} onDiscard={discard} />
    </>
  );
}
