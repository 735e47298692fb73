import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { paths } from '../../app/paths.ts';
import { findJson, storeJson } from '../../ui/browser/stored-json.ts';
import { accountQuery, sessionQuery } from '../../ui/server-data/session.ts';

const keyOf = (userId: string): string => `second-factor-banner:${userId}`;

/** Asks owners who sign in with a password to set up a second factor, until they do, or dismiss it in this browser. */
export function SecondFactorBanner({ organization }: { readonly organization: Organization }): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const { data: signedIn } = useQuery(sessionQuery);
  const [isDismissed, setDismissed] = useState(false);
  if (organization.role !== 'owner' || account === undefined || signedIn === undefined) return null;
  const key = keyOf(account.user.id);
  const isProtected =
    !account.hasPassword || account.secondFactors.length > 0 || signedIn.session.organizationId !== undefined;
  const wasDismissed = findJson(localStorage, key, (value) => value === true) === true;
  if (isProtected || isDismissed || wasDismissed) return null;
  const dismiss = () => {
    storeJson(localStorage, key, true);
    setDismissed(true);
  };
  return (
    <Alert
      role="region"
      color="blue"
      variant="light"
      icon={<IconShieldLock aria-hidden />}
      title={t('Protect {name} with a second factor', { name: organization.name })}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t(
            'You’re an owner, and your password is enough to sign in to your account. With a second factor, someone who knows your password can’t.',
          )}
        </Text>
        <Group gap="xs">
          <Button component={Link} to={paths.account} size="xs">
            {t('Set up a second factor')}
          </Button>
          <Button size="xs" variant="subtle" onClick={dismiss}>
            {t('Don’t show again')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
