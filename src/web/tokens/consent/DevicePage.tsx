import { Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceApproval } from '#contract/credentials/device.ts';
import { t } from '#shared/language/messages.ts';
import { call } from '../../app/api.ts';
import { Page } from '../../ui/page/Page.tsx';
import { tokensKey } from '../queries.ts';
import { CodeForm, type AskingDevice } from './CodeForm.tsx';
import { ConsentForm } from './ConsentForm.tsx';

/** Authorizes a device or a command line that shows a code. */
export function DevicePage(): ReactNode {
  const client = useQueryClient();
  const [device, setDevice] = useState<AskingDevice>();
  const approval = useMutation({
    mutationFn: (body: DeviceApproval) => call('POST /api/auth/device-requests/approve', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey }),
  });
  const denial = useMutation({
    mutationFn: (userCode: string) => call('POST /api/auth/device-requests/deny', { body: { userCode } }),
  });
  return (
    <Page title={t('Connect a device')}>
      <Stack maw={560}>
        {approval.isSuccess ? (
          <Text role="status">{t('The device is connected. You can close this page.')}</Text>
        ) : denial.isSuccess ? (
          <Text role="status">{t('The device was denied access. You can close this page.')}</Text>
        ) : device === undefined ? (
          <CodeForm onFound={setDevice} />
        ) : (
          <ConsentForm
            asked={device.scopes}
            action={t('Connect')}
            error={approval.error ?? denial.error}
            isApproving={approval.isPending}
            isDenying={denial.isPending}
            onApprove={(body) => approval.mutate({ userCode: device.userCode, ...body })}
            onDeny={() => denial.mutate(device.userCode)}
          >
            <Text>
              {t('{program} asks to act as you, from the address {address}.', {
                program: device.clientName,
                address: device.address,
              })}
            </Text>
            <Text size="sm" c="dimmed">
              {t(
                'Connect it only if you started it yourself and it shows the code {code}. If someone sent you the code, deny it.',
                { code: device.userCode.toUpperCase() },
              )}
            </Text>
          </ConsentForm>
        )}
      </Stack>
    </Page>
  );
}
