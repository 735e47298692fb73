import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { CopyField } from '../ui/forms/CopyField.tsx';
import { Section } from '../ui/page/Section.tsx';

/** Shows where the directory sends people and groups by SCIM. `redirectUri` is at the same server. */
export const Provisioning = ({
  orgId,
  redirectUri,
}: {
  readonly orgId: string;
  readonly redirectUri: string;
}): ReactNode => (
  <Section
    title={t('Provisioning')}
    description={t(
      'Your directory can add people and groups by SCIM 2.0, and end the access of people at once when they leave. It needs the token or the client secret of a service account with the permission “Provision”.',
    )}
  >
    <CopyField label={t('SCIM URL')} value={`${new URL(redirectUri).origin}/scim/v2/${orgId}`} />
  </Section>
);
