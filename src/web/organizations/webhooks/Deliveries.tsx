import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookDelivery } from '#contract/organizations/webhooks.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { MoreButton } from '../../ui/actions/MoreButton.tsx';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { rich } from '../../ui/text/rich.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { exactTime } from '../../ui/text/times.ts';
import { deliveriesQuery } from './queries.ts';
import { eventNames, progressOf } from './texts.ts';
import classes from './Webhooks.module.css';

/** What was or is to be sent to a webhook, the newest first. */
export function Deliveries({
  orgId,
  webhookId,
}: {
  readonly orgId: string;
  readonly webhookId: string;
}): ReactNode {
  const deliveries = useInfiniteQuery(deliveriesQuery(orgId, webhookId));
  if (deliveries.error !== null && deliveries.data === undefined)
    return <Failure error={deliveries.error} retry={() => void deliveries.refetch()} />;
  if (deliveries.data === undefined) return <Waiting height={60} />;
  const items = deliveries.data.pages.flatMap((page) => page.items);
  if (items.length === 0)
    return (
      <Text size="sm" mt="sm">
        {t('Nothing was sent in the last 30 days.')}
      </Text>
    );
  return (
    <Stack gap="sm" mt="sm">
      <ul className={classes['list']} aria-label={t('Deliveries')}>
        {items.map((delivery) => (
          <DeliveryItem key={delivery.id} orgId={orgId} webhookId={webhookId} delivery={delivery} />
        ))}
      </ul>
      <MoreButton list={deliveries}>{t('Show older deliveries')}</MoreButton>
    </Stack>
  );
}

function DeliveryItem({
  orgId,
  webhookId,
  delivery,
}: {
  readonly orgId: string;
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
}): ReactNode {
  const { id, event, createdAt, status, attemptCount, nextAttemptAt, responseStatus, durationMs } = delivery;
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      call('POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry', {
        params: { orgId, webhookId, deliveryId: id },
      }),
    onSettled: () => client.invalidateQueries(deliveriesQuery(orgId, webhookId)),
  });
  const progress = progressOf(delivery);
  return (
    <li className={classes['item']}>
      <Group gap="xs">
        <Text size="sm" fw={500}>
          {eventNames[event]}
        </Text>
        <Badge variant="dot" color={progress.color} tt="none">
          {progress.text}
        </Badge>
        <Text size="sm" c="dimmed">
          <time dateTime={createdAt}>{exactTime(createdAt)}</time>
          {attemptCount > 0 &&
            ` · ${t('{count, plural, one {# attempt} other {# attempts}}', { count: attemptCount })}`}
          {responseStatus !== undefined && ` · ${t('status {status}', { status: String(responseStatus) })}`}
          {durationMs !== undefined && ` · ${t('{count} ms', { count: durationMs })}`}
          {nextAttemptAt !== undefined && attemptCount > 0 && (
            <> · {rich('next attempt {time}', { time: <TimeAgo at={nextAttemptAt} /> })}</>
          )}
        </Text>
        {(status !== 'pending' || attemptCount > 0) && (
          <Button
            size="compact-xs"
            variant="default"
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t('Send again')}
          </Button>
        )}
      </Group>
      {delivery.error !== undefined && <Text size="sm">{delivery.error}</Text>}
      {retry.error !== null && <Failure error={retry.error} />}
      <details>
        <summary>{t('Details')}</summary>
        <pre className={classes['text']}>{delivery.body}</pre>
        {delivery.response !== undefined && delivery.response !== '' && (
          <>
            <Text size="sm">{t('Response')}</Text>
            <pre className={classes['text']}>{delivery.response}</pre>
          </>
        )}
      </details>
    </li>
  );
}
