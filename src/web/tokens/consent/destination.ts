import { t } from '#shared/language/messages.ts';

/** Returns where a response is sent that goes to a URI of a program: the part of it that people can judge. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === 'https:') return host;
  if (protocol === 'http:') return t('a program on this computer');
  return t('the app {scheme} on this device', { scheme: protocol.slice(0, -1) });
}
