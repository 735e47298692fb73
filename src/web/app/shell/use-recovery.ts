import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connection } from '../../ui/connection/connection.ts';
import { isTransient } from '../../ui/server-data/query-client.ts';

/** Loads again what failed while the server was away, as soon as it responds: the page itself, and each part of it. */
export function useRecovery(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const recover = () => {
      if (connection.isLost()) return;
      void client.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.error !== null && isTransient(state.error),
      });
      const hasFailed = router.state.matches.some(
        ({ status, error }) => status === 'error' && error instanceof Error && isTransient(error),
      );
      if (hasFailed) void router.invalidate();
    };
    const checkIfLost = () => connection.isLost() && void connection.check();
    window.addEventListener('online', checkIfLost);
    const stop = connection.subscribe(recover);
    return () => {
      window.removeEventListener('online', checkIfLost);
      stop();
    };
  }, [client, router]);
}
