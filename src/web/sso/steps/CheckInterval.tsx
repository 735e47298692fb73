import { NativeSelect, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { usePolicySaving } from '../connection/use-saving.ts';
import { requiresOwner, type Sso } from '../queries.ts';

const intervals = [1, 5, 15, 30, 60];

/** How often the directory is asked whether people may still sign in; each choice is saved at once. */
export function CheckInterval({ sso }: { readonly sso: Sso }): ReactNode {
  const { policy } = sso;
  const saving = usePolicySaving(sso);
  const { revalidateMinutes = 0 } = policy;
  const choices = [...new Set([...intervals, revalidateMinutes])].filter((minutes) => minutes > 0);
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('Check whether people may still sign in')}
        description={
          requiresOwner(sso)
            ? t('Only an owner can set this while a role mapping grants the owner role.')
            : t(
                'If the directory refuses, such as for a disabled account, the person’s sessions end. If it doesn’t respond, they stay. Sessions that began while checks were off aren’t checked.',
              )
        }
        data={[
          { value: '0', label: t('Never') },
          ...choices
            .toSorted((one, other) => one - other)
            .map((minutes) => ({
              value: String(minutes),
              label: t('{minutes, plural, one {Every minute} other {Every {minutes} minutes}}', { minutes }),
            })),
        ]}
        value={String(revalidateMinutes)}
        disabled={requiresOwner(sso) || saving.isPending}
        onChange={({ currentTarget: { value } }) =>
          saving.mutate(
            { ...policy, revalidateMinutes: Number(value) },
            { onSuccess: () => notifyDone(t('Interval saved.')) },
          )
        }
        maw={360}
      />
      {saving.error !== null && <Failure error={saving.error} />}
    </Stack>
  );
}
