import { Modal, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Report } from '#contract/reports/reports.ts';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { call, callWithEtag } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { useOrganization } from '../../ui/server-data/session.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';

const newDashboard = 'new';

/** Adds a report to an existing or a new dashboard. */
export function AddToDashboardDialog({
  report,
  close,
}: {
  readonly report: Pick<Report, 'id' | 'name' | 'organizationId'>;
  readonly close: () => void;
}): ReactNode {
  const { id, name, organizationId } = report;
  const client = useQueryClient();
  const navigate = useNavigate();
  const role = useOrganization(organizationId)?.role;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [newName, setNewName] = useState(name);
  const found = useQuery({
    queryKey: ['dashboards', 'to-add-to', organizationId, search],
    queryFn: ({ signal }) =>
      call('GET /api/dashboards', {
        query: { organizationId, sort: 'updated', limit: '20', ...(search !== '' && { q: search }) },
        signal,
      }),
  });
  const add = useMutation({
    mutationFn: async () => {
      if (chosen === newDashboard) {
        const where = may(role, 'dashboard.create') ? { organizationId } : {};
        const body = { name: newName, ...where, widgets: [{ reportId: id }] };
        return call('POST /api/dashboards', { body });
      }
      const params = { dashboardId: chosen ?? '' };
      const { body: dashboard, etag } = await callWithEtag('GET /api/dashboards/{dashboardId}', { params });
      const { description, widgets } = dashboard;
      return call('PUT /api/dashboards/{dashboardId}', {
        params,
        headers: { 'if-match': etag },
        body: {
          name: dashboard.name,
          ...(description !== undefined && { description }),
          widgets: [...widgets, { reportId: id }],
        },
      });
    },
    onSuccess: async (dashboard) => {
      await client.invalidateQueries({ queryKey: ['dashboards'] });
      await client.invalidateQueries({ queryKey: ['reports', id, 'dashboards'] });
      notifyDone(t('Added “{name}” to “{name2}”.', { name, name2: dashboard.name }));
      await navigate({ to: paths.dashboard, params: { dashboardId: dashboard.id } });
    },
  });
  return (
    <Modal opened onClose={close} title={t('Add to a dashboard')}>
      <Form
        error={add.error}
        action={t('Add')}
        reason={chosen === undefined ? t('Choose a dashboard first.') : undefined}
        isPending={add.isPending}
        onSubmit={() => add.mutate()}
        onCancel={close}
      >
        <SearchField label={t('Search dashboards')} value={search} onChange={setSearch} />
        {found.isPending && <Waiting height={120} />}
        {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
        <Radio.Group aria-label={t('Dashboard')} value={chosen ?? null} onChange={setChosen}>
          <ScrollArea.Autosize mah={280}>
            <Stack gap="xs">
              {found.data?.items.map((dashboard) => (
                <Radio
                  key={dashboard.id}
                  value={dashboard.id}
                  label={dashboard.name}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                />
              ))}
              {found.data?.items.length === 0 && (
                <Text size="sm" c="dimmed">
                  {search === '' ? t('There are no dashboards yet.') : t('No matching dashboards.')}
                </Text>
              )}
              <Radio value={newDashboard} label={t('New dashboard')} />
            </Stack>
          </ScrollArea.Autosize>
        </Radio.Group>
        {chosen === newDashboard && (
          <TextInput
            label={t('Name of the new dashboard')}
            description={
              may(role, 'dashboard.create')
                ? undefined
                : t('Only you can see it, because viewers can create only private dashboards')
            }
            required
            value={newName}
            onChange={(event) => setNewName(event.currentTarget.value)}
          />
        )}
      </Form>
    </Modal>
  );
}
