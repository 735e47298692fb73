import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { TokenScope } from '#contract/scopes.ts';
import { t } from '#shared/language/messages.ts';
import { lastOrganization } from '../../ui/browser/last-organization.ts';
import { Form } from '../../ui/forms/Form.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { organizationsQuery } from '../../ui/server-data/session.ts';
import { Waiting } from '../../ui/page/Waiting.tsx';
import { scopeTexts } from '../scopes.ts';

/** Asks whether, for which organization and with which scopes a program may act as the person. */
export function ConsentForm({
  children,
  asked,
  action,
  error,
  isApproving,
  isDenying,
  onApprove,
  onDeny,
}: {
  /** Who asks. */
  readonly children: ReactNode;
  /** The scopes that the program asks for. */
  readonly asked: readonly TokenScope[];
  /** The label of the button that authorizes. */
  readonly action: string;
  readonly error: unknown;
  readonly isApproving: boolean;
  readonly isDenying: boolean;
  readonly onApprove: (approval: { organizationId: string; scopes: TokenScope[] }) => void;
  readonly onDeny: () => void;
}): ReactNode {
  const organizations = useQuery(organizationsQuery);
  const [scopes, setScopes] = useState<readonly TokenScope[]>(asked);
  const { data } = organizations;
  if (organizations.error !== null) {
    return <Failure error={organizations.error} retry={() => void organizations.refetch()} />;
  }
  if (data === undefined) return <Waiting height={240} />;
  return (
    <Form
      error={error}
      action={action}
      reason={
        data.length === 0
          ? t('You’re not a member of an organization.')
          : scopes.length === 0
            ? t('Choose what the program can do.')
            : undefined
      }
      isPending={isApproving}
      otherButton={
        <Button variant="default" loading={isDenying} onClick={onDeny}>
          {t('Deny')}
        </Button>
      }
      onSubmit={(field) => onApprove({ organizationId: field('organization'), scopes: [...scopes] })}
    >
      {children}
      <NativeSelect
        name="organization"
        label={t('Organization')}
        data={data.map(({ id, name }) => ({ value: id, label: name }))}
        defaultValue={data.find(({ id }) => id === lastOrganization())?.id ?? data[0]?.id ?? ''}
      />
      <Stack gap="xs" role="group" aria-label={t('Permissions')}>
        {asked.map((scope) => (
          <Checkbox
            key={scope}
            label={scopeTexts[scope].name}
            description={scopeTexts[scope].permits}
            checked={scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              setScopes(asked.filter((other) => (other === scope ? checked : scopes.includes(other))))
            }
          />
        ))}
      </Stack>
      <Text size="sm" c="dimmed">
        {t(
          'It can do this for at most 90 days, and never more than you can. You can revoke it in your account.',
        )}
      </Text>
    </Form>
  );
}
