import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Tells that the network is away, for as long as it is. */
export function OfflineBanner(): ReactNode {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert color="yellow" icon={<IconWifiOff />} mb="md" title="You are offline">
          What you see may be old. What you write is kept on this machine, and can be saved when the network
          is back.
        </Alert>
      )}
    </div>
  );
}
