import { List, NumberInput, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { changesQuery, versionQuery } from './history-queries.ts';
import { LayoutPreview } from './LayoutPreview.tsx';
import { RestoreDashboardVersion } from './RestoreDashboardVersion.tsx';
import { useReportNames } from '../results/use-report-names.ts';
import { wordsWithNames } from './change-words.ts';

/** A version: what was in it, what changed from another one to it, and the way back to it. */
export function VersionDetails({
  dashboardId,
  organizationId,
  version,
  newest,
  comparedWith,
}: {
  readonly dashboardId: string;
  readonly organizationId: string | undefined;
  readonly version: number;
  readonly newest: number;
  /** 0 for none: before the first version there was nothing. */
  readonly comparedWith: number;
}): ReactNode {
  const navigate = useNavigate({ from: paths.dashboardHistory });
  const nameOfReport = useReportNames(organizationId);
  const { data: content, error, refetch } = useQuery(versionQuery(dashboardId, version));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (content === undefined) return <Waiting height={320} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Version ${version}`}>
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
        <RestoreDashboardVersion dashboardId={dashboardId} version={version} newest={newest} />
        <LayoutPreview widgets={content.widgets} nameOfReport={nameOfReport} />
        {newest > 1 && (
          <NumberInput
            label="Compare with version"
            description={comparedWith === 0 ? 'Before the first version there was nothing.' : undefined}
            value={comparedWith === 0 ? '' : comparedWith}
            min={1}
            max={newest}
            allowDecimal={false}
            clampBehavior="strict"
            maw={240}
            onChange={(value) =>
              void navigate({
                search: {
                  version: `${version}`,
                  ...(typeof value === 'number' && value >= 1 && { with: `${value}` }),
                },
                replace: true,
                resetScroll: false,
              })
            }
          />
        )}
        {comparedWith >= 1 && (
          <Changes dashboardId={dashboardId} from={comparedWith} to={version} nameOfReport={nameOfReport} />
        )}
      </Stack>
    </Paper>
  );
}

function Changes({
  dashboardId,
  from,
  to,
  nameOfReport,
}: {
  readonly dashboardId: string;
  readonly from: number;
  readonly to: number;
  readonly nameOfReport: (reportId: string) => string;
}): ReactNode {
  const { data, error, refetch } = useQuery(changesQuery(dashboardId, from, to));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting height={120} />;
  return (
    <div aria-live="polite">
      <Title order={3} fz="md" mb="xs">
        {`From version ${from} to version ${to}`}
      </Title>
      {data.changes.length === 0 ? (
        <Text size="sm">Nothing differs between these two.</Text>
      ) : (
        <List size="sm" style={{ overflowWrap: 'anywhere' }}>
          {data.changes.map((change) => (
            <List.Item key={change.pointer + change.kind}>{wordsWithNames(change, nameOfReport)}</List.Item>
          ))}
        </List>
      )}
    </div>
  );
}
