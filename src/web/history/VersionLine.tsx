import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordVersion } from '#contract/records/history.ts';
import { t } from '#shared/language/messages.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';

const changeWords: Readonly<Record<RecordVersion['change'], string>> = {
  created: t('created it'),
  saved: t('saved'),
  merged: t("saved, merged with others' changes"),
  restored: t('restored'),
  transferred: t('transferred ownership'),
  imported: t('imported'),
};

/** A version in two lines: its number, and who made it, how and when. */
export const VersionLine = ({
  version: { version, userName, at, change, restoredFrom, proposedBy },
  isCurrent,
}: {
  readonly version: RecordVersion;
  readonly isCurrent: boolean;
}): ReactNode => (
  <>
    <Text size="sm" fw={600} component="span" display="block">
      {isCurrent
        ? t('Version {version} (current)', { version: String(version) })
        : t('Version {version}', { version: String(version) })}
    </Text>
    <Text size="xs" c="dimmed" component="span" display="block" style={{ overflowWrap: 'anywhere' }}>
      {userName}{' '}
      {restoredFrom === undefined
        ? changeWords[change]
        : t('restored version {version}', { version: String(restoredFrom) })}
      {proposedBy !== undefined && `, ${t('proposed by {name}', { name: proposedBy })}`}, <TimeAgo at={at} />
    </Text>
  </>
);
