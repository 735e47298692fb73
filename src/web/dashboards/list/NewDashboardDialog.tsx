import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { may } from '#shared/permissions.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { organizationsQuery } from '../../ui/server-data/session.ts';

/** The location of private dashboards, beside the IDs of organizations. */
const privateLocation = 'private';

/** Asks for a name and a location, creates the dashboard, and opens it for editing. */
export function NewDashboardDialog({
  opened,
  onClose,
  organizationId,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The organization that is chosen at first; left out for a private dashboard. */
  readonly organizationId?: string | undefined;
}): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title="New dashboard">
      <NewDashboardForm organizationId={organizationId} onClose={onClose} />
    </Modal>
  );
}

function NewDashboardForm({
  organizationId,
  onClose,
}: {
  readonly organizationId: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const locations = organizations.filter(({ role }) => may(role, 'dashboard.create'));
  const first = locations.find(({ id }) => id === organizationId)?.id ?? privateLocation;
  const [chosen, setChosen] = useState<string>();
  const location = chosen ?? first;
  const create = useMutation({
    mutationFn: (name: string) =>
      call('POST /api/dashboards', {
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
      action="Create"
      isPending={create.isPending}
      onSubmit={(field) => create.mutate(field('name'))}
      onCancel={onClose}
    >
      <TextInput label="Name" name="name" required data-autofocus autoComplete="off" />
      <Select
        label="Location"
        description={
          location === privateLocation
            ? 'Only you can open it.'
            : 'Members of the organization can open it, and its editors can edit it.'
        }
        data={[
          ...locations.map(({ id, name }) => ({ value: id, label: name })),
          { value: privateLocation, label: 'Private dashboards' },
        ]}
        value={location}
        onChange={(value) => setChosen(value ?? undefined)}
        allowDeselect={false}
      />
    </Form>
  );
}
