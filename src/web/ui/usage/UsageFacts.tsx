import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { Loaded } from '../page/Loaded.tsx';
import { formatBytes } from '../text/bytes.ts';
import { NearLimit } from './NearLimit.tsx';
import { usageQuery } from './queries.ts';
import { isNearLimit, shareOf } from './shares.ts';

/** How much is stored, beside the limits: of an organization for its admins, or outside of organizations. */
export function UsageFacts({ orgId }: { readonly orgId?: string }): ReactNode {
  return (
    <Loaded query={useQuery({ ...usageQuery(orgId), staleTime: 0 })} height={100}>
      {({ records, bytes }) => (
        <Stack gap="md">
          <NearLimit usage={{ records, bytes }} orgId={orgId} />
          <UsageBar
            label={
              orgId === undefined
                ? t('Private dashboards')
                : t('Dashboards, reports, folders and data sources')
            }
            use={records}
            text={t('{used} of {limit}', { used: records.used, limit: records.limit })}
          />
          <UsageBar
            label={t('Size of content and former versions')}
            use={bytes}
            text={t('{used} of {limit}', { used: formatBytes(bytes.used), limit: formatBytes(bytes.limit) })}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function UsageBar({
  label,
  use,
  text,
}: {
  readonly label: string;
  readonly use: { readonly used: number; readonly limit: number };
  readonly text: string;
}): ReactNode {
  const id = useId();
  return (
    <div>
      <Group justify="space-between" gap="2px md">
        <Text size="sm" c="dimmed" id={id}>
          {label}
        </Text>
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {text}
        </Text>
      </Group>
      <Progress.Root mt={4}>
        <Progress.Section
          value={shareOf(use) * 100}
          color={isNearLimit(use) ? 'red.9' : 'atrium'}
          withAria={false}
          role="progressbar"
          aria-labelledby={id}
          aria-valuenow={Math.round(shareOf(use) * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={text}
        />
      </Progress.Root>
    </div>
  );
}
