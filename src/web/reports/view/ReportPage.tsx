import { Anchor, Code, Group, List, Loader, Paper, Spoiler, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconRefresh, IconUserPlus } from '@tabler/icons-react';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { dataSourceQuery } from '../../ui/server-data/data-source-queries.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { isShownByFields } from '../../ui/problems/field-faults.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { ParameterForm } from '../parameters/ParameterForm.tsx';
import { searchValueOf, valuesFromSearch } from '../parameters/search.ts';
import { ReportMenu } from './ReportMenu.tsx';
import { reportQuery, reportResultQuery, reportUsesQuery } from '../queries.ts';
import { ReportResultCard } from './ReportResultCard.tsx';
import { ShareDialog } from '../../sharing/ShareDialog.tsx';
import { useEditReason } from '../../sharing/use-edit-reason.ts';
import { rich } from '../../ui/text/rich.tsx';

/** A report and its result for the parameter values in the URL. */
export function ReportPage(): ReactNode {
  const { reportId } = useParams({ from: paths.report });
  const search = useSearch({ from: paths.report });
  const navigate = useNavigate({ from: paths.report });
  const client = useQueryClient();
  const { data } = useSuspenseQuery(reportQuery(reportId));
  const { report } = data;
  const reason = useEditReason({ kind: 'report', id: reportId });
  const [isSharing, sharing] = useDisclosure();
  const values = valuesFromSearch(report.parameters, search);
  const resultQuery = reportResultQuery(reportId, values);
  const result = useQuery({ ...resultQuery, placeholderData: keepPreviousData });
  const refresh = useMutation({
    mutationFn: () =>
      call('POST /api/reports/{reportId}/run', {
        params: { reportId },
        body: { parameters: values, isForced: true },
      }),
    onSuccess: (fresh) => client.setQueryData(resultQuery.queryKey, fresh),
    onError: notifyError,
  });
  const pointers = report.parameters.map(({ name }) => `/parameters/${name}`);
  const isShown = isShownByFields(result.error, pointers);
  const isRunning = result.isFetching || refresh.isPending;
  return (
    <Page
      title={report.name}
      description={
        <Stack gap={2}>
          {report.description !== undefined && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {report.description}
            </Text>
          )}
          <SourceName dataSourceId={report.dataSourceId} />
        </Stack>
      }
      actions={
        <>
          <ActionButton
            variant="default"
            leftSection={isRunning ? <Loader size={16} aria-hidden /> : <IconRefresh size={16} aria-hidden />}
            reason={isRunning ? t('The report is running.') : undefined}
            onClick={() => refresh.mutate()}
          >
            {t('Refresh')}
          </ActionButton>
          <ActionButton
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={sharing.open}
          >
            {t('Share')}
          </ActionButton>
          <ActionButton
            reason={reason}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => void navigate({ to: paths.reportEdit, params: { reportId } })}
          >
            {t('Edit')}
          </ActionButton>
          <ReportMenu report={report} values={values} reason={reason} />
          <ShareDialog record={{ ...report, kind: 'report' }} opened={isSharing} onClose={sharing.close} />
        </>
      }
    >
      {report.parameters.length > 0 && (
        <ParameterForm
          reportId={reportId}
          parameters={report.parameters}
          values={values}
          error={result.error}
          change={(name, value) =>
            void navigate({
              search: (before) => ({ ...before, [name]: searchValueOf(value) }),
              replace: true,
              resetScroll: false,
            })
          }
          reset={() => void navigate({ search: {}, replace: true, resetScroll: false })}
        />
      )}
      {result.isPending && <Waiting height={420} />}
      {result.isError && isShown && (
        <Text size="sm" c="dimmed" role="alert">
          {t('A parameter value isn’t valid. Change it to see the result.')}
        </Text>
      )}
      {result.isError && !isShown && <Failure error={result.error} retry={() => void result.refetch()} />}
      {!result.isError && result.data !== undefined && (
        <ReportResultCard
          report={report}
          parameters={values}
          result={result.data}
          isStale={result.isPlaceholderData || isRunning}
        />
      )}
      <Uses reportId={reportId} />
      <section aria-labelledby="query-heading">
        <Title order={2} fz="h4" id="query-heading" mb="xs">
          {t('Query')}
        </Title>
        <Text size="sm" c="dimmed" mb="xs">
          {report.structure === undefined
            ? t('Written as SQL.')
            : t('Made with the query builder, which generated this SQL.')}
        </Text>
        <Paper withBorder p="sm">
          <Spoiler maxHeight={220} showLabel={t('Show all')} hideLabel={t('Show less')}>
            <Code block bg="transparent" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {report.query}
            </Code>
          </Spoiler>
        </Paper>
      </section>
    </Page>
  );
}

function SourceName({ dataSourceId }: { readonly dataSourceId: string }): ReactNode {
  const { data: source } = useQuery(dataSourceQuery(dataSourceId));
  if (source === undefined) return null;
  return (
    <Text size="sm" c="dimmed">
      {rich('Data source: <link>{name}</link>', {
        name: source.name,
        link: (text) => (
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => <Link {...props} to={paths.dataSource} params={{ dataSourceId }} />}
          >
            {text}
          </Anchor>
        ),
      })}
    </Text>
  );
}

function Uses({ reportId }: { readonly reportId: string }): ReactNode {
  const uses = useQuery(reportUsesQuery(reportId));
  const dashboards = uses.data?.items ?? [];
  const hidden = (uses.data?.totalCount ?? 0) - dashboards.length;
  return (
    <section aria-labelledby="uses-heading">
      <Title order={2} fz="h4" id="uses-heading" mb="xs">
        {t('Used on')}
      </Title>
      {uses.isPending && <Waiting height={24} />}
      {uses.isError && <Failure error={uses.error} retry={() => void uses.refetch()} />}
      {uses.data?.totalCount === 0 && (
        <Text size="sm" c="dimmed">
          {t('Not used on any dashboard yet.')}
        </Text>
      )}
      <List size="sm">
        {dashboards.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
              renderRoot={(props) => <Link {...props} to={paths.dashboard} params={{ dashboardId: id }} />}
            >
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
      {hidden > 0 && (
        <Group mt={4}>
          <Text size="sm" c="dimmed">
            {t(
              'And on {hidden, plural, one {# dashboard} other {# dashboards}} that you don’t have access to.',
              { hidden },
            )}
          </Text>
        </Group>
      )}
    </section>
  );
}
