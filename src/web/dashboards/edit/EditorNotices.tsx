import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { ApiProblem } from '../../app/api.ts';
import { DraftNotices } from '../../drafts/DraftNotices.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { SaveElsewhere } from './conflict/SaveElsewhere.tsx';
import type { LiveDashboard } from '../live/use-dashboard-events.ts';
import type { DashboardDraft } from './draft/kind.ts';
import type { Saving } from './draft/use-saving.ts';
import { versionOf } from '../../history/version-of.ts';

/** Reports that you continue a draft, that others saved, deleted or restricted the dashboard, and that a save failed. */
export function EditorNotices({
  draft,
  saving,
  live,
  userId,
  organizationId,
  onDiscard,
}: {
  readonly draft: DashboardDraft;
  readonly saving: Saving;
  readonly live: LiveDashboard;
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly onDiscard: () => void;
}): ReactNode {
  return (
    <div role="status">
      <DraftNotices draft={draft} onDiscard={onDiscard} />
      {live.endReason !== undefined && (
        <Alert
          mb="xs"
          color="yellow"
          title={
            live.endReason === 'deleted'
              ? t('This dashboard was deleted')
              : t('This dashboard was deleted, or you can no longer view it')
          }
        >
          <Group gap="xs">
            <span>
              {live.endReason === 'deleted'
                ? t(
                    'Your draft is saved in this browser. Restore the dashboard from the trash, or save your draft as a new dashboard.',
                  )
                : t('Your draft is saved in this browser. You can save it as a new dashboard.')}
            </span>
            <SaveElsewhere draft={draft} organizationId={organizationId} />
          </Group>
        </Alert>
      )}
      {live.endReason === undefined &&
        !saving.isSaving &&
        savedMeanwhile(draft, live, userId) !== undefined && (
          <Alert mb="xs">{savedMeanwhile(draft, live, userId)}</Alert>
        )}
      {saving.error !== null && (
        <Failure error={saving.error} retry={() => void saving.save()}>
          {isRefusal(saving.error) && <SaveElsewhere draft={draft} organizationId={organizationId} />}
          {hasNoBase(saving.error) && (
            <Button
              size="xs"
              variant="default"
              onClick={() => void saving.save({ content: draft.present, etag: '*' })}
            >
              {t('Overwrite the saved version')}
            </Button>
          )}
        </Failure>
      )}
    </div>
  );
}

function savedMeanwhile(
  { base }: DashboardDraft,
  { version, savedBy }: LiveDashboard,
  userId: string,
): string | undefined {
  if (version === undefined || version <= versionOf(base.etag)) return undefined;
  const who =
    savedBy === undefined
      ? t('Someone')
      : savedBy.userId === userId
        ? t('You, in another tab,')
        : savedBy.userName;
  return t('{who} saved version {version}. Your changes will be merged with it when you save.', {
    who,
    version,
  });
}

/** Whether the server refused the save, so that trying again won't help. */
const isRefusal = (error: Error): boolean => error instanceof ApiProblem;

/** Whether the server doesn't have the version that the edit is based on. */
const hasNoBase = (error: Error): boolean => error instanceof ApiProblem && error.code === 'unknown_version';
