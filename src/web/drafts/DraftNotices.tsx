import { Alert, Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { relativeTime } from '../ui/text/times.ts';
import { DiscardDialog } from './DiscardDialog.tsx';
import type { Draft } from './use-draft.ts';

/** Reports that you continue a draft, and that a draft can't be stored in this browser. */
export function DraftNotices({
  draft: { continuedFrom, isDirty, isStored },
  onDiscard,
}: {
  readonly draft: Omit<Draft<unknown>, 'dispatch'>;
  readonly onDiscard: () => void;
}): ReactNode {
  const [isRead, setIsRead] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  return (
    <>
      {continuedFrom !== undefined && !isRead && isDirty && (
        <Alert
          mb="xs"
          title={t("You're continuing your draft, last changed {time}", {
            time: relativeTime(continuedFrom),
          })}
        >
          <Group gap="xs">
            <span>{t("It's stored only in this browser until you save it.")}</span>
            <Button size="xs" variant="default" onClick={() => setIsRead(true)}>
              {t('Continue')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsDiscarding(true)}>
              {t('Discard draft…')}
            </Button>
          </Group>
        </Alert>
      )}
      {!isStored && (
        <Alert mb="xs" color="yellow" title={t("Your draft can't be saved in this browser")}>
          {t('The browser has run out of storage. Save before you close this tab.')}
        </Alert>
      )}
      <DiscardDialog opened={isDiscarding} onClose={() => setIsDiscarding(false)} onDiscard={onDiscard} />
    </>
  );
}

/** Returns whether a draft is saved, as a text for the toolbar. */
export function draftStatus(
  { isDirty, isStored }: Pick<Draft<unknown>, 'isDirty' | 'isStored'>,
  isSaving: boolean,
): string {
  if (isSaving) return t('Saving…');
  if (!isDirty) return t('No changes');
  return isStored ? t('Draft saved in this browser') : t('Unsaved changes');
}
