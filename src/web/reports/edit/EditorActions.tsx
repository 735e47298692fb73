import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import type { EditedReport } from './use-draft.ts';

/** Whether what was written is saved, and the ways on. */
export function EditorActions({
  draft: { isChanged, isKept, continuedFrom, discard },
  isNew,
  isSaving,
  save,
  leave,
  reason,
}: {
  readonly draft: EditedReport;
  readonly isNew: boolean;
  readonly isSaving: boolean;
  readonly save: () => void;
  readonly leave: () => void;
  readonly reason: string | undefined;
}): ReactNode {
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {isChanged && isKept && continuedFrom === undefined && 'Not saved yet; kept on this machine'}
        {isChanged && isKept && continuedFrom !== undefined && (
          <>
            Goes on with what you wrote <TimeAgo at={continuedFrom} />
          </>
        )}
        {isChanged && !isKept && 'Not saved yet, and this machine has no room to keep it'}
      </Text>
      {isChanged && (
        <Button variant="subtle" onClick={discard}>
          Discard
        </Button>
      )}
      <Button variant="default" onClick={leave}>
        {isNew ? 'To the reports' : 'To the report'}
      </Button>
      <ActionButton
        loading={isSaving}
        reason={reason ?? (isChanged ? undefined : 'Nothing has changed.')}
        onClick={save}
      >
        Save
      </ActionButton>
    </>
  );
}
