import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../../ui/server-data/session.ts';

/**
 * Begins anew when somebody else has signed in by another tab: what this one shows is of the person before, and what it
 * sends would be done in the name of the next.
 */
export function useOnePerson(): void {
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' });
  const userId = data?.user.id;
  const [first] = useState(userId);
  useEffect(() => {
    if (first !== undefined && userId !== undefined && userId !== first) location.reload();
  }, [first, userId]);
}
