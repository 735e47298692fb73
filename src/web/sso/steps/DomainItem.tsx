import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SsoDomain } from '#contract/sso/domains.ts';
import { t } from '#shared/language/messages.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { CopyField } from '../../ui/forms/CopyField.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { TimeAgo } from '../../ui/text/TimeAgo.tsx';
import { bodyOf, type StoredDirectory } from '../connection/connection.ts';
import { consequencesOf } from './consequences.ts';
import { Outcome } from '../Outcome.tsx';
import classes from '../sso.module.css';
import type { Sso } from '../queries.ts';
import { useActor } from '../use-actor.ts';
import { useSaving } from '../connection/use-saving.ts';
import { rich } from '../../ui/text/rich.tsx';

const looks = {
  proven: { tone: 'good', word: t('Verified') },
  unproven: { tone: 'open', word: t('Not verified') },
  unusable: { tone: 'bad', word: t('Can’t be used') },
} as const;

/** A domain: when it was verified, or the record to publish and the result of checking DNS. */
export function DomainItem({
  sso,
  configuration,
  domain: { domain, state, record, reason, provenBy, provenAt, checkedAt },
}: {
  readonly sso: Sso;
  readonly configuration: StoredDirectory;
  readonly domain: SsoDomain;
}): ReactNode {
  const { orgId, connectionId } = sso;
  const client = useQueryClient();
  const check = useMutation({
    mutationFn: () =>
      connectionId === undefined
        ? call('POST /api/sso/orgs/{orgId}/domains/{domain}/verify', { params: { orgId, domain } })
        : call('POST /api/sso/orgs/{orgId}/connections/{connectionId}/domains/{domain}/verify', {
            params: { orgId, connectionId, domain },
          }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
  const { tone, word } = looks[state];
  return (
    <Stack className={classes['domain'] ?? ''} gap="sm" role="group" aria-label={domain}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {domain}
          </Text>
          <Outcome tone={tone}>{word}</Outcome>
        </Group>
        <Removal sso={sso} configuration={configuration} domain={domain} />
      </Group>
      {state === 'proven' && provenAt !== undefined && (
        <Text size="sm">
          {provenBy === 'operator'
            ? rich('Verified by the operator {time}', { time: <TimeAgo at={provenAt} /> })
            : rich('Verified through DNS {time}', { time: <TimeAgo at={provenAt} /> })}
          {checkedAt !== undefined && rich(', last checked {time}', { time: <TimeAgo at={checkedAt} /> })}.
        </Text>
      )}
      {reason !== undefined && <Text size="sm">{reason}</Text>}
      {record !== undefined && (state === 'unproven' || reason !== undefined) && (
        <>
          <Text size="sm">{t('Publish this TXT record at the DNS provider of {domain}:', { domain })}</Text>
          <CopyField label={t('Name')} value={record.name} />
          <CopyField label={t('Value')} value={record.value} />
          <Text size="sm" c="dimmed">
            {t('If your provider adds the domain to each name automatically, leave .{domain} off the name.', {
              domain,
            })}
          </Text>
        </>
      )}
      {record !== undefined && (
        <Group>
          <Button
            variant={state === 'proven' ? 'default' : 'filled'}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            {t('Check DNS now')}
          </Button>
        </Group>
      )}
      <div aria-live="polite">
        {check.error !== null && <DnsAnswer error={check.error} />}
        {check.isSuccess && (
          <Text size="sm">{t('The record was found. {domain} is verified.', { domain })}</Text>
        )}
      </div>
    </Stack>
  );
}

/** A missing record is not an error: DNS records take time to appear. */
const DnsAnswer = ({ error }: { readonly error: Error }): ReactNode =>
  error instanceof ApiProblem && error.code === 'domain_not_proven' ? (
    <Alert variant="default" title={t('The record isn’t in DNS yet')} role="group">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {error.problem.detail}
      </Text>
      <Text size="sm" mt="xs">
        {t(
          'Compare the name and the value. A new record can take a few minutes to appear, or an hour with some providers.',
        )}
      </Text>
    </Alert>
  ) : (
    <Failure error={error} />
  );

function Removal({
  sso,
  configuration,
  domain,
}: {
  readonly sso: Sso;
  readonly configuration: StoredDirectory;
  readonly domain: string;
}): ReactNode {
  const actor = useActor(sso.orgId);
  const [isAsked, setAsked] = useState(false);
  const saving = useSaving(sso);
  const sentences = consequencesOf(sso, { removedDomain: domain }, actor);
  const remove = () => {
    const emailDomains = configuration.emailDomains.filter((each) => each !== domain);
    saving.mutate(
      { body: bodyOf(configuration, { emailDomains }) },
      { onSuccess: () => setAsked(false), onError: () => setAsked(true) },
    );
  };
  return (
    <>
      <ActionButton
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={t('Remove {domain}', { domain })}
        reason={
          sso.connectionId === undefined && configuration.emailDomains.length === 1
            ? t('A configuration needs at least one domain. Add another one first.')
            : undefined
        }
        loading={saving.isPending}
        onClick={() => (sentences.length > 0 ? setAsked(true) : remove())}
      >
        {t('Remove')}
      </ActionButton>
      <ConfirmDialog
        title={t('Remove {domain}?', { domain })}
        sentences={sentences}
        action={t('Remove')}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={remove}
        isPending={saving.isPending}
        error={saving.error}
      />
    </>
  );
}
