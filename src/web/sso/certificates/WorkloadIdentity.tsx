import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { CopyField } from '../../ui/forms/CopyField.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Failure } from '../../ui/problems/Failure.tsx';

const path = '/api/sso/orgs/{orgId}/connections/{connectionId}/workload-identity' as const;

/** The identity that the host gives the server, where the operator offers it to the organization. */
export function WorkloadIdentity({
  connection,
}: {
  readonly connection: { readonly orgId: string; readonly connectionId: string };
}): ReactNode {
  const client = useQueryClient();
  const { orgId, connectionId } = connection;
  const [asked, setAsked] = useState<'use' | 'stop'>();
  const identity = useQuery({
    queryKey: ['sso', orgId, 'connections', connectionId, 'workload-identity'],
    queryFn: ({ signal }) => call(`GET ${path}`, { params: connection, signal }),
  });
  const change = useMutation({
    mutationFn: async (what: 'use' | 'stop') => {
      if (what === 'use') await call(`PUT ${path}`, { params: connection });
      else await call(`DELETE ${path}`, { params: connection });
    },
    onSuccess(_, what) {
      setAsked(undefined);
      notifyDone(
        what === 'use'
          ? t('The workload identity is used now.')
          : t('The workload identity is no longer used.'),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['sso', orgId] }),
  });
  if (identity.error !== null) return <Failure error={identity.error} />;
  if (identity.data === undefined) return null;
  const { isOffered, usedSince, issuer, subject, audience, problem } = identity.data;
  const isUsed = usedSince !== undefined;
  if (!isOffered && !isUsed) return null;
  const begin = (what: 'use' | 'stop') => {
    change.reset();
    setAsked(what);
  };
  return (
    <Stack gap="sm" component="section" aria-label={t('Workload identity instead of a secret')}>
      <Group gap="xs">
        <Title order={3} fz="h6">
          {t('Workload identity instead of a secret')}
        </Title>
        {isUsed && (
          <Badge variant="default" tt="none">
            {t('In use')}
          </Badge>
        )}
      </Group>
      <Text size="sm">
        {t(
          'The host of this server gives it tokens with which it can prove its identity to Entra. There is no secret to copy or to renew.',
        )}
      </Text>
      {problem !== undefined && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={problem.message}>
          {problem.remedy}
        </Alert>
      )}
      {issuer !== undefined && (
        <>
          <Text size="sm">
            {t(
              'In Entra, go to Certificates & secrets > Federated credentials > Add credential > Other issuer, and enter exactly:',
            )}
          </Text>
          <CopyField label={t('Issuer')} value={issuer} />
        </>
      )}
      {subject !== undefined && <CopyField label={t('Subject identifier')} value={subject} />}
      {audience !== undefined && <CopyField label={t('Audience')} value={audience} />}
      <Group>
        {isUsed ? (
          <Button variant="default" onClick={() => begin('stop')}>
            {t('Stop using it…')}
          </Button>
        ) : (
          problem === undefined && (
            <Button variant="default" onClick={() => begin('use')}>
              {t('Use it…')}
            </Button>
          )
        )}
      </Group>
      <ConfirmDialog
        title={
          asked === 'stop'
            ? t('Stop using the workload identity?')
            : t('Is the workload identity registered?')
        }
        sentences={[
          asked === 'stop'
            ? t('Sign-ins use the certificate or the client secret again. Without one, nobody can sign in.')
            : t(
                'Nobody can sign in if Entra doesn’t trust this issuer and subject. The workload identity replaces the client secret or the certificate. Test a sign-in afterwards.',
              ),
        ]}
        action={asked === 'stop' ? t('Stop using it') : t('Use it')}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked !== undefined && change.mutate(asked)}
        isPending={change.isPending}
        error={change.error}
      />
    </Stack>
  );
}
