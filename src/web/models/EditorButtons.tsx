import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { DiscardDialog } from '../drafts/DiscardDialog.tsx';
import { draftStatus } from '../drafts/DraftNotices.tsx';
import type { Draft } from '../drafts/use-draft.ts';
import { ActionButton } from '../ui/actions/ActionButton.tsx';
import type { ModelContent } from './draft.ts';

/** Whether the description is saved, and the buttons to save, discard or leave it. */
export function EditorButtons({
  draft,
  isSaving,
  reason,
  save,
  leave,
  discard,
}: {
  readonly draft: Draft<ModelContent>;
  readonly isSaving: boolean;
  readonly reason: string | undefined;
  readonly save: () => void;
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
          Discard
        </Button>
      )}
      <Button variant="default" onClick={leave}>
        Back to the table
      </Button>
      <ActionButton loading={isSaving} reason={reason} onClick={save}>
        Save
      </ActionButton>
      <DiscardDialog opened={isDiscarding} onClose={() => setIsDiscarding(false)} onDiscard={discard} />
    </>
  );
}
