import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Shown while the browser is offline. */
export function OfflineBanner(): ReactNode {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" icon={<IconWifiOff />} mb="md" title="You’re offline">
          What you see may be out of date. Your drafts are saved in this browser until you’re back online and
          can save them.
        </Alert>
      )}
    </div>
  );
}
