import { Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { NewWebhook } from '#contract/organizations/webhooks.ts';
import { t } from '#shared/language/messages.ts';
import { webhookEvents, type WebhookEvent } from '#shared/webhook-events.ts';
import { call } from '../../app/api.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { faultAt } from '../../ui/problems/field-faults.ts';
import { webhooksQuery } from './queries.ts';
import { eventNames } from './texts.ts';

/** Asks for the URL and the events of a new webhook. */
export function CreateWebhookDialog({
  orgId,
  isOpen,
  onClose,
  onCreated,
}: {
  readonly orgId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (webhook: NewWebhook) => void;
}): ReactNode {
  const client = useQueryClient();
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhookEvents);
  const create = useMutation({
    mutationFn: (url: string) =>
      call('POST /api/organizations/{orgId}/webhooks', {
        params: { orgId },
        body: { url, events: [...events] },
      }),
    onSuccess: (created) => {
      onCreated(created);
      close();
      return client.invalidateQueries(webhooksQuery(orgId));
    },
  });
  const close = () => {
    create.reset();
    setEvents(webhookEvents);
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={t('Create a webhook')}>
      <Form
        error={create.error}
        pointers={['/url']}
        action={t('Create the webhook')}
        reason={events.length === 0 ? t('Choose an event.') : undefined}
        isPending={create.isPending}
        onSubmit={(field) => create.mutate(field('url').trim())}
        onCancel={close}
      >
        <TextInput
          name="url"
          label={t('URL')}
          description={t('With https, reachable from the internet')}
          required
          maxLength={2_000}
          data-autofocus
          error={faultAt(create.error, '/url')}
        />
        <Checkbox.Group
          label={t('Events')}
          value={[...events]}
          onChange={(chosen) => setEvents(webhookEvents.filter((event) => chosen.includes(event)))}
        >
          <Stack gap="xs" mt="xs">
            {webhookEvents.map((event) => (
              <Checkbox key={event} value={event} label={eventNames[event]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Form>
    </Modal>
  );
}
