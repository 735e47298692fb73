import { Button } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { lazy, Suspense, useState, type Dispatch, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { loadChunk } from '../../../ui/connection/chunks.ts';
import type { DraftContent } from '../draft/content.ts';

const AnnotationsDrawer = lazy(async () => ({
  default: (await loadChunk('AnnotationsDrawer', () => import('./AnnotationsDrawer.tsx'))).AnnotationsDrawer,
}));

/** Opens the annotations of a dashboard in its editor; their code is loaded then. */
export function AnnotationsButton({
  content,
  dispatch,
}: {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCalendarEvent size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {t('Edit annotations')}
      </Button>
      {isOpen && (
        <Suspense>
          <AnnotationsDrawer content={content} dispatch={dispatch} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
