import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { NewWebhook, Webhook } from '#contract/organizations/webhooks.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { Deliveries } from './Deliveries.tsx';
import { webhooksQuery } from './queries.ts';
import { eventNames, stateOf } from './texts.ts';
import classes from './Webhooks.module.css';

/** A webhook with its state, what was sent to it, and what can be done with it. */
export function WebhookItem({
  orgId,
  webhook,
  onSecret,
}: {
  readonly orgId: string;
  readonly webhook: Webhook;
  readonly onSecret: (webhook: NewWebhook) => void;
}): ReactNode {
  const { id: webhookId, url, events, enabled } = webhook;
  const client = useQueryClient();
  const [asked, setAsked] = useState<'delete' | 'rotate'>();
  const [isShown, setIsShown] = useState(false);
  const params = { orgId, webhookId };
  const onSettled = () => client.invalidateQueries(webhooksQuery(orgId));
  const sendTest = useMutation({
    mutationFn: () => call('POST /api/organizations/{orgId}/webhooks/{webhookId}/test', { params }),
    onSuccess: () => setIsShown(true),
    onSettled,
  });
  const toggle = useMutation({
    mutationFn: () =>
      call('PATCH /api/organizations/{orgId}/webhooks/{webhookId}', { params, body: { enabled: !enabled } }),
    onSettled,
  });
  const rotate = useMutation({
    mutationFn: () => call('POST /api/organizations/{orgId}/webhooks/{webhookId}/rotate-secret', { params }),
    onSuccess: (rotated) => {
      setAsked(undefined);
      onSecret(rotated);
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/organizations/{orgId}/webhooks/{webhookId}', { params }),
    onSuccess: () => {
      setAsked(undefined);
      notifyDone(t('Webhook deleted.'));
    },
    onSettled,
  });
  const state = stateOf(webhook);
  const error = sendTest.error ?? toggle.error;
  return (
    <li className={classes['item']}>
      <Group gap="xs">
        <Text fw={500}>{url}</Text>
        <Badge variant="dot" color={state.color} tt="none">
          {state.text}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {events.map((event) => eventNames[event]).join(' · ')}
      </Text>
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          variant="default"
          aria-expanded={isShown}
          aria-label={t('Deliveries to {url}', { url })}
          onClick={() => setIsShown(!isShown)}
        >
          {t('Deliveries')}
        </Button>
        {enabled && (
          <Button size="xs" variant="default" loading={sendTest.isPending} onClick={() => sendTest.mutate()}>
            {t('Send a test event')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setAsked('rotate')}>
          {t('Rotate the secret')}
        </Button>
        <Button size="xs" variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {enabled ? t('Disable') : t('Enable')}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={t('Delete the webhook to {url}', { url })}
          onClick={() => setAsked('delete')}
        >
          {t('Delete')}
        </Button>
      </Group>
      {error !== null && <Failure error={error} />}
      {isShown && <Deliveries orgId={orgId} webhookId={webhookId} />}
      <ConfirmDialog
        title={t('Rotate the secret?')}
        sentences={[
          t('You get a new secret, which is shown once.'),
          t('For 24 hours, requests are also signed with the previous one.'),
        ]}
        action={t('Rotate')}
        opened={asked === 'rotate'}
        onClose={() => setAsked(undefined)}
        onConfirm={() => rotate.mutate()}
        isPending={rotate.isPending}
        error={rotate.error}
      />
      <ConfirmDialog
        title={t('Delete the webhook?')}
        sentences={[
          t('Nothing more is sent to {url}, and the list of its deliveries is deleted, too.', { url }),
        ]}
        action={t('Delete')}
        opened={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      />
    </li>
  );
}
