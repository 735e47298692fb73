import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { may } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { useFolders } from '../../ui/folders/queries.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { organizationsQuery } from '../../ui/server-data/session.ts';

/** The location of private dashboards, beside the IDs of organizations. */
const privateLocation = 'private';

/** Asks for a name and a location, creates the dashboard, and opens it for editing. */
export function NewDashboardDialog({
  opened,
  onClose,
  organizationId,
  folderId,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The organization that is chosen at first; left out for a private dashboard. */
  readonly organizationId?: string | undefined;
  /** The folder of that organization that it is created in. */
  readonly folderId?: string | undefined;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={t('New dashboard')}>
      <NewDashboardForm organizationId={organizationId} folderId={folderId} onClose={onClose} />
    </Modal>
  );
}

function NewDashboardForm({
  organizationId,
  folderId,
  onClose,
}: {
  readonly organizationId: string | undefined;
  readonly folderId: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const locations = organizations.filter(({ role }) => may(role, 'dashboard.create'));
  const first = locations.find(({ id }) => id === organizationId)?.id ?? privateLocation;
  const [chosen, setChosen] = useState<string>();
  const location = chosen ?? first;
  const isInFolder = folderId !== undefined && location === organizationId;
  const { data: folders = [] } = useFolders(organizationId);
  const folder = folders.find(({ id }) => isInFolder && id === folderId);
  const create = useMutation({
    mutationFn: (name: string) =>
      isInFolder
        ? call('POST /api/folders/{folderId}/dashboards', { params: { folderId }, body: { name } })
        : call('POST /api/dashboards', {
            body: { name, ...(location !== privateLocation && { organizationId: location }) },
          }),
    onSuccess: async ({ id }) => {
      onClose();
      void client.invalidateQueries({ queryKey: ['dashboards'] });
      await navigate({ to: paths.dashboardEdit, params: { dashboardId: id } });
    },
  });
  return (
    <Form
      error={create.error}
      action={t('Create')}
      isPending={create.isPending}
      onSubmit={(field) => create.mutate(field('name'))}
      onCancel={onClose}
    >
      <TextInput label={t('Name')} name="name" required data-autofocus autoComplete="off" />
      <Select
        label={t('Location')}
        description={
          location === privateLocation
            ? t('Only you can open it.')
            : folder?.restricted === true
              ? t('It will be restricted: only people who may see the folder “{name}” can open it.', {
                  name: folder.name,
                })
              : t('Members of the organization can open it, and its editors can edit it.')
        }
        data={[
          ...locations.map(({ id, name }) => ({ value: id, label: name })),
          { value: privateLocation, label: t('Private dashboards') },
        ]}
        value={location}
        onChange={(value) => setChosen(value ?? undefined)}
        allowDeselect={false}
      />
    </Form>
  );
}
