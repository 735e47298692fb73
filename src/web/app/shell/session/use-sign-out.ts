import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { paths } from '../../paths.ts';
import { storeLastLogo } from '../../../ui/browser/last-organization.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';

/** Returns a function that ends the session, also at the directory if it was started there. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    const { logoutUrl } = await call('POST /api/auth/sign-out');
    client.clear();
    // The next person at this device may be from elsewhere.
    storeLastLogo(undefined);
    if (logoutUrl === undefined) await navigate({ to: paths.signIn });
    else location.assign(logoutUrl);
  };
  return () => void signOut().catch(notifyError);
}
