import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { NewWebhook } from '#contract/organizations/webhooks.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { CopyField } from '../../ui/forms/CopyField.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import { CreateWebhookDialog } from './CreateWebhookDialog.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookItem } from './WebhookItem.tsx';
import classes from './Webhooks.module.css';

/** Lists, creates and tests the webhooks of an organization, for its owners and admins. */
export function Webhooks({ organization }: { readonly organization: Organization }): ReactNode {
  const reason = reasonAgainst('webhook.manage', organization.role);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t(
          'Send a signed request to your URLs when a dashboard is created, changed or deleted, when someone joins, or when single sign-on fails.',
        )}
      </Text>
      {reason === undefined ? <List orgId={organization.id} /> : <Text size="sm">{reason}</Text>}
    </Stack>
  );
}

function List({ orgId }: { readonly orgId: string }): ReactNode {
  const webhooks = useQuery(webhooksQuery(orgId));
  const [isCreating, setIsCreating] = useState(false);
  const [shown, setShown] = useState<NewWebhook>();
  return (
    <>
      {webhooks.error !== null ? (
        <Failure error={webhooks.error} retry={() => void webhooks.refetch()} />
      ) : webhooks.data === undefined ? (
        <Waiting height={60} />
      ) : (
        webhooks.data.length > 0 && (
          <ul className={classes['list']} aria-label={t('Webhooks')}>
            {webhooks.data.map((webhook) => (
              <WebhookItem key={webhook.id} orgId={orgId} webhook={webhook} onSecret={setShown} />
            ))}
          </ul>
        )
      )}
      {shown !== undefined && (
        <Alert
          color="teal"
          title={t('The secret of the webhook to {url}', { url: shown.url })}
          withCloseButton
          closeButtonLabel={t('Close')}
          onClose={() => setShown(undefined)}
        >
          <Stack gap="sm">
            <Text size="sm">
              {t('Copy it now to the program that verifies the requests: it isn’t shown again.')}{' '}
              {shown.previousSecretEndsAt !== undefined &&
                t('For 24 hours, requests are also signed with the previous one.')}
            </Text>
            <CopyField label={t('Secret')} value={shown.secret} />
          </Stack>
        </Alert>
      )}
      <Group>
        <Button variant="default" onClick={() => setIsCreating(true)}>
          {t('Create a webhook')}
        </Button>
      </Group>
      <CreateWebhookDialog
        orgId={orgId}
        isOpen={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={setShown}
      />
    </>
  );
}
