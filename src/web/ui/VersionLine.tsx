import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordVersion } from '#contract/history.ts';
import { TimeAgo } from './text/TimeAgo.tsx';

const changeWords: Readonly<Record<RecordVersion['change'], string>> = {
  created: 'created it',
  saved: 'saved',
  merged: 'saved, merged with what others saved',
  restored: 'restored',
  transferred: 'handed it over',
  imported: 'imported',
};

/** A version in two lines: its number, and who made it, how and when. */
export const VersionLine = ({
  version: { version, userName, at, change, restoredFrom },
  isNewest,
}: {
  readonly version: RecordVersion;
  readonly isNewest: boolean;
}): ReactNode => (
  <>
    <Text size="sm" fw={600} component="span" display="block">
      {`Version ${version}${isNewest ? ' (the one there is)' : ''}`}
    </Text>
    <Text size="xs" c="dimmed" component="span" display="block" style={{ overflowWrap: 'anywhere' }}>
      {userName} {changeWords[change]}
      {restoredFrom !== undefined && ` version ${restoredFrom}`}, <TimeAgo at={at} />
    </Text>
  </>
);
