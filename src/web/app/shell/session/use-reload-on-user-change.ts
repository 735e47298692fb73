import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../../../ui/server-data/session.ts';

/**
 * Reloads the page when somebody else has signed in in another tab. This tab still shows data of the previous person, but its
 * requests would be sent as the new one.
 */
export function useReloadOnUserChange(): void {
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  const userId = data?.user.id;
  const [first] = useState(userId);
  useEffect(() => {
    if (first !== undefined && userId !== undefined && userId !== first) location.reload();
  }, [first, userId]);
}
