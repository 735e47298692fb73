import { Accordion, Button, Code, List, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentChange } from '#contract/history.ts';
import type { Report } from '#contract/reports/reports.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { Page } from '../../ui/Page.tsx';
import { VersionLine } from '../../ui/VersionLine.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { reportChangesQuery, reportQuery, reportVersionsQuery } from '../report-queries.ts';
import { RestoreVersion } from './RestoreVersion.tsx';

/** The versions of a report: who made each, what changed by it, and the way back to it. */
export function ReportHistoryPage(): ReactNode {
  const { reportId } = useParams({ from: paths.reportHistory });
  const { version } = useSearch({ from: paths.reportHistory });
  const navigate = useNavigate({ from: paths.reportHistory });
  const { report, etag } = useSuspenseQuery(reportQuery(reportId)).data;
  const versions = useInfiniteQuery(reportVersionsQuery(reportId));
  const items = versions.data?.pages.flatMap((page) => page.items) ?? [];
  const newest = items[0]?.version;
  return (
    <Page
      title={`History of ${report.name}`}
      size="md"
      actions={
        <Button
          variant="default"
          onClick={() => void navigate({ to: paths.report, params: { reportId }, search: {} })}
        >
          To the report
        </Button>
      }
    >
      {versions.isPending && <Waiting height={240} />}
      {versions.isError && <Failure error={versions.error} retry={() => void versions.refetch()} />}
      <Accordion
        variant="separated"
        order={2}
        value={version ?? null}
        onChange={(opened) =>
          void navigate({
            search: opened === null ? {} : { version: opened },
            replace: true,
            resetScroll: false,
          })
        }
      >
        {items.map((item) => (
          <Accordion.Item key={item.version} value={String(item.version)}>
            <Accordion.Control>
              <VersionLine version={item} isNewest={item.version === newest} />
            </Accordion.Control>
            <Accordion.Panel>
              {version === String(item.version) && (
                <Stack align="flex-start">
                  <Changes report={report} version={item.version} />
                  {item.version !== newest && (
                    <RestoreVersion report={report} etag={etag} version={item.version} />
                  )}
                </Stack>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <MoreButton list={versions}>Show older versions</MoreButton>
    </Page>
  );
}

function Changes({ report, version }: { readonly report: Report; readonly version: number }): ReactNode {
  const changes = useQuery({ ...reportChangesQuery(report.id, version), enabled: version > 1 });
  if (version === 1) {
    return (
      <Text size="sm" c="dimmed">
        The first version.
      </Text>
    );
  }
  if (changes.isPending) return <Waiting height={60} />;
  if (changes.isError) return <Failure error={changes.error} retry={() => void changes.refetch()} />;
  if (changes.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing differs from the version before.
      </Text>
    );
  }
  return (
    <List size="sm" w="100%">
      {changes.data.map((change) => (
        <List.Item
          key={change.pointer}
          styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
        >
          {change.words}
          {change.pointer === '/query' && <QueryTexts change={change} />}
        </List.Item>
      ))}
    </List>
  );
}

/** SQL is compared by reading both. */
const QueryTexts = ({ change: { before, after } }: { readonly change: ContentChange }): ReactNode => (
  <Stack gap={4} mt={4}>
    {[
      ['Before', before],
      ['After', after],
    ].map(([label, text]) =>
      typeof text !== 'string' ? null : (
        <div key={String(label)}>
          <Text size="xs" c="dimmed">
            {String(label)}
          </Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {text}
          </Code>
        </div>
      ),
    )}
  </Stack>
);
