import { Alert, Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiProblem } from '../../app/api.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { timeInWords } from '../../ui/text/times.ts';
import { DiscardDialog } from './draft/DiscardDialog.tsx';
import { SaveElsewhere } from './conflict/SaveElsewhere.tsx';
import type { LiveDashboard } from '../live/use-dashboard-events.ts';
import type { Draft } from './draft/use-draft.ts';
import type { Saving } from './draft/use-saving.ts';
import { versionOf } from '../../history/version-of.ts';

/** What one should know of the edit: that it goes on with a draft, that others have saved, that a save did not arrive. */
export function EditorNotices({
  draft,
  saving,
  news,
  userId,
  organizationId,
  onDiscard,
}: {
  readonly draft: Draft;
  readonly saving: Saving;
  readonly news: LiveDashboard;
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly onDiscard: () => void;
}): ReactNode {
  const [isRead, setIsRead] = useState(false);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const since = draft.continuedFrom;
  return (
    <div role="status">
      {since !== undefined && !isRead && draft.isDirty && (
        <Alert mb="xs" title={`You go on with your draft, last changed ${timeInWords(since)}`}>
          <Group gap="xs">
            <span>It was kept on this machine and is not saved yet.</span>
            <Button size="xs" variant="default" onClick={() => setIsRead(true)}>
              Continue
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsDiscarding(true)}>
              Discard draft…
            </Button>
          </Group>
        </Alert>
      )}
      {news.isDeleted && (
        <Alert mb="xs" color="yellow" title="This dashboard was deleted meanwhile">
          Your draft is saved in this browser. Restore the dashboard from the trash, or save your draft as a
          new dashboard.
          <SaveElsewhere draft={draft} organizationId={organizationId} />
        </Alert>
      )}
      {!news.isDeleted && !saving.isSaving && savedMeanwhile(draft, news, userId) !== undefined && (
        <Alert mb="xs">{savedMeanwhile(draft, news, userId)}</Alert>
      )}
      {!draft.isKept && (
        <Alert mb="xs" color="yellow" title="Your edit cannot be kept on this machine">
          The browser has no room for it. Save before you close this tab.
        </Alert>
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
              Save over what is there
            </Button>
          )}
        </Failure>
      )}
      <DiscardDialog
        opened={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        onDiscard={() => {
          setIsDiscarding(false);
          onDiscard();
        }}
      />
    </div>
  );
}

function savedMeanwhile(
  { base }: Draft,
  { version, savedBy }: LiveDashboard,
  userId: string,
): string | undefined {
  if (version === undefined || version <= versionOf(base.etag)) return undefined;
  const who =
    savedBy === undefined
      ? 'Somebody'
      : savedBy.userId === userId
        ? 'You, in another tab,'
        : savedBy.userName;
  return `${who} saved version ${version} meanwhile; your edit will be merged with it.`;
}

/** What trying again does not mend. */
const isRefusal = (error: Error): boolean => error instanceof ApiProblem;

/** The version that the edit began with is known no more. */
const hasNoBase = (error: Error): boolean => error instanceof ApiProblem && error.code === 'unknown_version';
