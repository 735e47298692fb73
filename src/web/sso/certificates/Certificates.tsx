import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SsoCertificate } from '#contract/sso/certificates.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { saveFile } from '../../ui/browser/save-file.ts';
import { CopyField } from '../../ui/forms/CopyField.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { exactTime } from '../../ui/text/times.ts';

const base = '/api/sso/orgs/{orgId}/connections/{connectionId}/certificates' as const;

interface Connection {
  readonly orgId: string;
  readonly connectionId: string;
}

/** The certificates that a directory can have instead of a client secret. */
export function Certificates({ connection }: { readonly connection: Connection }): ReactNode {
  const client = useQueryClient();
  const { orgId, connectionId } = connection;
  const certificates = useQuery({
    queryKey: ['sso', orgId, 'connections', connectionId, 'certificates'],
    queryFn: async ({ signal }) => (await call(`GET ${base}`, { params: connection, signal })).items,
  });
  const onSettled = () => client.invalidateQueries({ queryKey: ['sso', orgId] });
  const creation = useMutation({
    mutationFn: () => call(`POST ${base}`, { params: connection }),
    onSuccess: () => notifyDone(t('Certificate created.')),
    onSettled,
  });
  const error = certificates.error ?? creation.error;
  const items = certificates.data ?? [];
  return (
    <Stack gap="sm" component="section" aria-label={t('Certificate instead of a secret')}>
      <Title order={3} fz="h6">
        {t('Certificate instead of a secret')}
      </Title>
      <Text size="sm">
        {t(
          'Atrium can prove its identity with a certificate, so that no secret has to be copied. Create one, upload it in the directory, then use it. Its private key never leaves the server.',
        )}
      </Text>
      {items.map((certificate) => (
        <CertificateCard
          key={certificate.id}
          connection={connection}
          certificate={certificate}
          onSettled={onSettled}
        />
      ))}
      {error !== null && <Failure error={error} />}
      <Group>
        <Button variant="default" loading={creation.isPending} onClick={() => creation.mutate()}>
          {items.length === 0 ? t('Create a certificate') : t('Create the next certificate')}
        </Button>
      </Group>
    </Stack>
  );
}

function CertificateCard({
  connection,
  certificate: { id: certificateId, certificate, thumbprint, expiresAt, usedSince },
  onSettled,
}: {
  readonly connection: Connection;
  readonly certificate: SsoCertificate;
  readonly onSettled: () => Promise<void>;
}): ReactNode {
  const params = { ...connection, certificateId };
  const [asked, setAsked] = useState<'use' | 'delete'>();
  const change = useMutation({
    mutationFn: async (what: 'use' | 'delete') => {
      if (what === 'use') await call(`POST ${base}/{certificateId}/use`, { params });
      else await call(`DELETE ${base}/{certificateId}`, { params });
    },
    onSuccess(_, what) {
      setAsked(undefined);
      notifyDone(what === 'use' ? t('The certificate is used now.') : t('The certificate was deleted.'));
    },
    onSettled,
  });
  const begin = (what: 'use' | 'delete') => {
    change.reset();
    setAsked(what);
  };
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group gap="xs">
          <Badge variant="default" tt="none">
            {usedSince === undefined ? t('Not used yet') : t('In use')}
          </Badge>
          <Text size="sm">{t('Expires on {time}', { time: exactTime(expiresAt) })}</Text>
        </Group>
        <CopyField label={t('Thumbprint')} value={thumbprint} />
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            onClick={() =>
              saveFile(new Blob([certificate], { type: 'application/x-pem-file' }), 'atrium.pem')
            }
          >
            {t('Download')}
          </Button>
          {usedSince === undefined && (
            <Button size="xs" onClick={() => begin('use')}>
              {t('Use it…')}
            </Button>
          )}
          <Button variant="subtle" color="red" size="xs" onClick={() => begin('delete')}>
            {t('Delete…')}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        title={asked === 'delete' ? t('Delete the certificate?') : t('Is the certificate uploaded?')}
        sentences={[
          asked === 'use'
            ? t(
                'Nobody can sign in if the directory doesn’t know the certificate with this thumbprint. It replaces the client secret or the certificate before. Test a sign-in afterwards.',
              )
            : usedSince === undefined
              ? t('It was never used, so sign-ins don’t change.')
              : t('Sign-ins use the client secret again. Without one, nobody can sign in.'),
        ]}
        action={asked === 'delete' ? t('Delete') : t('Use it')}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked !== undefined && change.mutate(asked)}
        isPending={change.isPending}
        error={change.error}
      />
    </Card>
  );
}
