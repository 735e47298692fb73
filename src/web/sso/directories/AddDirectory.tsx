import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { paths } from '../../app/paths.ts';
import { Section } from '../../ui/page/Section.tsx';
import { Form } from '../../ui/forms/Form.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { discoveryAddress, type DirectoryKind } from '../connection/connection.ts';
import { ProviderSelect } from './ProviderSelect.tsx';

/** Offers another directory below the guide of the only one. */
export const AddDirectory = ({ orgId }: { readonly orgId: string }): ReactNode => (
  <Section title={t('Another directory')} description={whatFor()}>
    <AddDirectoryButton orgId={orgId} />
  </Section>
);

/** When an organization needs another directory, and which providers it can have. */
export const whatFor = (): string =>
  t(
    'For people whose accounts are elsewhere, for example after a merger. The domain of their email address decides where people sign in. Okta, Keycloak, Google Workspace and any other provider with OpenID Connect work. SAML 2.0 isn’t supported.',
  );

/** Asks for the name and the provider of a new directory, and opens its page. */
export function AddDirectoryButton({ orgId }: { readonly orgId: string }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [provider, setProvider] = useState<DirectoryKind>('entra');
  const create = useMutation({
    mutationFn: (name: string) => {
      const address = provider === 'google' ? { discoveryUrl: discoveryAddress('', provider) } : {};
      return call('POST /api/sso/orgs/{orgId}/connections', {
        params: { orgId },
        body: { name, provider, clientId: '', emailDomains: [], enabled: false, ...address },
      });
    },
    onSuccess: async ({ id: connectionId }) => {
      await client.invalidateQueries({ queryKey: ['sso', orgId] });
      await navigate({ to: paths.ssoConnection, params: { orgId, connectionId } });
    },
  });
  const close = () => {
    create.reset();
    setOpen(false);
  };
  return (
    <div>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
        {t('Add a directory')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('Add a directory')}>
        <Form
          error={create.error}
          pointers={['/name']}
          action={t('Add')}
          isPending={create.isPending}
          onSubmit={(field) => create.mutate(field('name').trim())}
          onCancel={close}
        >
          <Stack>
            <ProviderSelect value={provider} onChange={setProvider} />
            <TextInput
              name="name"
              label={t('Name')}
              description={t('What you call it, such as the name of the company')}
              required
              maxLength={200}
              data-autofocus
              error={faultAt(create.error, '/name')}
            />
            <Text size="sm" c="dimmed">
              {t('It stays off until you turn it on.')}
            </Text>
          </Stack>
        </Form>
      </Modal>
    </div>
  );
}
