import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordVersion } from '#contract/history.ts';
import { TimeAgo } from '../ui/text/TimeAgo.tsx';

const changeWords: Readonly<Record<RecordVersion['change'], string>> = {
  created: 'created it',
  saved: 'saved',
  merged: "saved, merged with others' changes",
  restored: 'restored',
  transferred: 'transferred ownership',
  imported: 'imported',
};

/** A version in two lines: its number, and who made it, how and when. */
export const VersionLine = ({
  version: { version, userName, at, change, restoredFrom },
  isCurrent,
}: {
  readonly version: RecordVersion;
  readonly isCurrent: boolean;
}): ReactNode => (
  <>
    <Text size="sm" fw={600} component="span" display="block">
      {`Version ${version}${isCurrent ? ' (current)' : ''}`}
    </Text>
    <Text size="xs" c="dimmed" component="span" display="block" style={{ overflowWrap: 'anywhere' }}>
      {userName} {changeWords[change]}
      {restoredFrom !== undefined && ` version ${restoredFrom}`}, <TimeAgo at={at} />
    </Text>
  </>
);
