import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { notifyError } from '../../ui/notify.ts';

/** Returns what ends the session, here and, after a sign-in through a directory, there. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    const { logoutUrl } = await call('POST /api/auth/sign-out');
    client.clear();
    if (logoutUrl === undefined) await navigate({ to: paths.signIn });
    else location.assign(logoutUrl);
  };
  return () => void signOut().catch(notifyError);
}
