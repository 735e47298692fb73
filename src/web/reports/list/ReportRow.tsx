import { Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportSummary } from '#contract/reports/reports.ts';
import { paths } from '../../app/paths.ts';
import { ItemPath } from '../../folders/ItemPath.tsx';
import { SelectBox } from '../../ui/selection/SelectBox.tsx';
import type { Selection } from '../../ui/selection/use-selection.ts';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { ReportRowMenu } from './ReportRowMenu.tsx';

/** A report in a list. */
export const ReportRow = ({
  report,
  source,
  path,
  selection,
}: {
  readonly report: ReportSummary;
  /** The name of its data source. */
  readonly source: string;
  /** The path of its folder, if it is to be shown; otherwise empty. */
  readonly path: string;
  readonly selection: Selection<ReportSummary>;
}): ReactNode => (
  <Table.Tr {...(selection.has(report.id) && { bg: 'var(--mantine-primary-color-light)' })}>
    <Table.Td pr={0}>
      <SelectBox item={report} selection={selection} />
    </Table.Td>
    <Table.Td>
      <Stack gap={0}>
        <Text
          fw={500}
          c="inherit"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link {...props} to={paths.report} params={{ reportId: report.id }} />}
        >
          {report.name}
        </Text>
        {report.description !== undefined && (
          <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {report.description}
          </Text>
        )}
        <ItemPath path={path} />
      </Stack>
    </Table.Td>
    <Table.Td visibleFrom="sm">
      <Text size="sm" c="dimmed" truncate>
        {source}
      </Text>
    </Table.Td>
    <Table.Td visibleFrom="sm">
      <Text size="sm" c="dimmed">
        <TimeAgo at={report.updatedAt} />
      </Text>
    </Table.Td>
    <Table.Td pl={0}>
      <ReportRowMenu report={report} />
    </Table.Td>
  </Table.Tr>
);
