import { NumberInput, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ContentChange } from '#contract/records/history.ts';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../ui/problems/Failure.tsx';
import type { RecordKind } from '../ui/server-data/trash.ts';
import { Waiting } from '../ui/page/Waiting.tsx';
import type { VersionContents } from './calls.ts';
import { Changes } from './Changes.tsx';
import { versionQuery, type RecordRef } from './queries.ts';
import { RestoreVersion } from './RestoreVersion.tsx';

/** A version: its content, what changed from another version to it, and the button that restores it. */
export function VersionDetails<Kind extends RecordKind>({
  record,
  version,
  newest,
  comparedWith,
  onCompare,
  summaryOf,
  preview,
}: {
  readonly record: RecordRef<Kind>;
  readonly version: number;
  readonly newest: number;
  /** 0 for none, as by default for the first version. */
  readonly comparedWith: number;
  /** Called with the version to compare with, or undefined for the previous one. */
  readonly onCompare: (version: number | undefined) => void;
  readonly summaryOf: (change: ContentChange) => string;
  readonly preview: (content: VersionContents[Kind]) => ReactNode;
}): ReactNode {
  const { data: content, error, refetch } = useQuery(versionQuery(record, version));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (content === undefined) return <Waiting height={320} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Version {version}', { version })}>
      <Stack>
        <div>
          <Title order={2} fz="h4" style={{ overflowWrap: 'anywhere' }}>
            {content.name}
          </Title>
          {content.description !== undefined && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {content.description}
            </Text>
          )}
        </div>
        <RestoreVersion record={record} version={version} newest={newest} />
        {preview(content)}
        {newest > 1 && (
          <NumberInput
            label={t('Compare with version')}
            description={comparedWith === 0 ? t('There is nothing before the first version.') : undefined}
            value={comparedWith === 0 ? '' : comparedWith}
            min={1}
            max={newest}
            allowDecimal={false}
            clampBehavior="strict"
            maw={240}
            onChange={(value) => onCompare(typeof value === 'number' && value >= 1 ? value : undefined)}
          />
        )}
        {comparedWith >= 1 && (
          <Changes record={record} from={comparedWith} to={version} summaryOf={summaryOf} />
        )}
      </Stack>
    </Paper>
  );
}
