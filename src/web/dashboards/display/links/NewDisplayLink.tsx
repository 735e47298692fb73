import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { dayAt } from '#shared/dates/days.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../../app/api.ts';
import { stringifySearch, type Search } from '../../../ui/browser/search.ts';
import { CopyField } from '../../../ui/forms/CopyField.tsx';
import { Form } from '../../../ui/forms/Form.tsx';
import { faultAt } from '../../../ui/problems/field-faults.ts';
import { useCalendar } from '../../filters/use-calendar.ts';
import { endOfDay, filtersText, linkAddress } from './link-address.ts';
import { displayLinksQuery } from './queries.ts';

/** Creates a link, and shows its address once. */
export function NewDisplayLink({
  dashboardId,
  orgId,
  filters,
  seconds,
}: {
  readonly dashboardId: string;
  readonly orgId: string;
  readonly filters: Search;
  readonly seconds: number;
}): ReactNode {
  const client = useQueryClient();
  const { timeZone } = useCalendar(orgId);
  const [isOpen, setIsOpen] = useState(false);
  const query = stringifySearch(filters).slice(1);
  const create = useMutation({
    mutationFn: (input: { readonly name: string; readonly lastDay: string }) =>
      call('POST /api/dashboards/{dashboardId}/display-links', {
        params: { dashboardId },
        body: {
          name: input.name,
          ...(query !== '' && { filters: query }),
          ...(input.lastDay !== '' && { expiresAt: endOfDay(input.lastDay, timeZone) }),
        },
      }),
    onSuccess: () => {
      setIsOpen(false);
      return client.invalidateQueries(displayLinksQuery(dashboardId));
    },
  });
  const created = create.data;
  if (!isOpen) {
    return (
      <Stack gap="sm">
        {created !== undefined && (
          <Alert color="teal" title={t('The link “{name}” is ready', { name: created.name })}>
            <Stack gap="sm">
              <Text size="sm">
                {t(
                  'Copy it now and open it on the display: it isn’t shown again. Anyone who has it sees the dashboard.',
                )}
              </Text>
              <CopyField
                label={t('Link')}
                value={linkAddress({ origin: location.origin, token: created.token, seconds })}
              />
            </Stack>
          </Alert>
        )}
        <Group>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {t('Create a link')}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Form
      error={create.error}
      pointers={['/name', '/expiresAt']}
      action={t('Create the link')}
      isPending={create.isPending}
      onSubmit={(field) => create.mutate({ name: field('name'), lastDay: field('lastDay') })}
      onCancel={() => {
        create.reset();
        setIsOpen(false);
      }}
    >
      <TextInput
        name="name"
        label={t('Name of the display')}
        placeholder={t('Such as “Lobby”')}
        required
        maxLength={200}
        data-autofocus
        autoFocus
        error={faultAt(create.error, '/name')}
      />
      <TextInput
        name="lastDay"
        type="date"
        label={t('Last day (optional)')}
        description={t('The link stops working at the end of this day.')}
        min={dayAt(Date.now(), timeZone)}
        error={faultAt(create.error, '/expiresAt')}
      />
      <Text size="sm" c="dimmed">
        {query === ''
          ? t('No filters are set. Nobody can set them on the display.')
          : t('With the filters that are set now, which nobody can change on the display: {filters}', {
              filters: filtersText(query),
            })}
      </Text>
    </Form>
  );
}
