import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token, TokenInput } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import type { TokenScope } from '#contract/scopes.ts';
import { t } from '#shared/language/messages.ts';
import { dateFormat } from '#shared/region/intl.ts';
import { lastOrganization } from '../ui/browser/last-organization.ts';
import { Form } from '../ui/forms/Form.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { faultAt } from '../ui/problems/field-faults.ts';
import { roleWithArticle } from '../ui/text/roles.ts';
import { dayFromNow, daysOf, expiryAfter, expiryAtEndOf, expiryChoices, firstChoice } from './expiry.ts';
import { tokenPolicyQuery } from './queries.ts';
import { ScopeFields } from './ScopeFields.tsx';

const onDate = 'date';

/** Asks for the organization, the name, the scopes and the expiry of a token. */
export function TokenForm({
  organizations,
  isPersonal,
  replaced,
  error,
  isPending,
  onSubmit,
  onCancel,
}: {
  readonly organizations: readonly Pick<Organization, 'id' | 'name' | 'role'>[];
  readonly isPersonal: boolean;
  /** The token whose settings the new one has at first. */
  readonly replaced: Token | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (orgId: string, input: TokenInput) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [orgId, setOrgId] = useState(
    () => replaced?.organizationId ?? (organizations.find(isLast) ?? organizations[0])?.id ?? '',
  );
  const [scopes, setScopes] = useState<TokenScope[]>(replaced?.scopes ?? ['read']);
  const [choice, setChoice] = useState<string>();
  const policy = useQuery(tokenPolicyQuery(orgId));
  const organization = organizations.find(({ id }) => id === orgId);
  const isForbidden = isPersonal && policy.data?.personalTokens === false;
  const maxDays = policy.data?.maxDays;
  const before = replaced && daysOf(replaced);
  const selected = choice ?? (maxDays === undefined ? '' : String(firstChoice(maxDays, before)));
  const reason =
    maxDays === undefined
      ? t('Choose another organization.')
      : isForbidden
        ? t('The organization doesn’t permit personal tokens.')
        : scopes.length === 0
          ? t('Choose what the token permits.')
          : undefined;
  return (
    <Form
      error={error}
      pointers={['/name', '/expiresAt']}
      action={replaced === undefined ? t('Create the token') : t('Create the second token')}
      reason={policy.isPending ? undefined : reason}
      isPending={isPending || policy.isPending}
      onSubmit={(field) => {
        if (maxDays === undefined) return;
        const now = Date.now();
        onSubmit(orgId, {
          name: field('name'),
          scopes,
          expiresAt:
            selected === onDate
              ? expiryAtEndOf(field('day'), maxDays, now)
              : expiryAfter(Number(selected), maxDays, now),
        });
      }}
      onCancel={onCancel}
    >
      {replaced !== undefined && (
        <Text size="sm">
          {t(
            'The new token works beside the one before until you revoke that one, so that no program has to stop.',
          )}
        </Text>
      )}
      {isPersonal && (
        <NativeSelect
          label={t('Organization')}
          description={
            organization &&
            t(
              'You’re {role} there, and a token can never do more than you can. Organizations that require single sign-on are listed after you sign in through their directory.',
              { role: roleWithArticle(organization.role) },
            )
          }
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          value={orgId}
          disabled={replaced !== undefined}
          onChange={(event) => {
            setOrgId(event.currentTarget.value);
            setChoice(undefined);
          }}
        />
      )}
      {policy.error !== null ? (
        <Failure error={policy.error} retry={() => void policy.refetch()} />
      ) : isForbidden ? (
        <Text size="sm" role="alert">
          {t('{organization} doesn’t permit personal tokens. Ask one of its admins for a service account.', {
            organization: organization?.name ?? '',
          })}
        </Text>
      ) : (
        <>
          <TextInput
            name="name"
            label={t('Name')}
            description={t('What uses it, such as “Nightly export”')}
            required
            maxLength={200}
            defaultValue={replaced?.name ?? ''}
            data-autofocus
            error={faultAt(error, '/name')}
          />
          <ScopeFields scopes={scopes} onChange={setScopes} />
          <Expiry maxDays={maxDays} before={before} selected={selected} error={error} onSelect={setChoice} />
          {isPersonal && (
            <Text size="sm" c="dimmed">
              {t(
                'Where single sign-on is required, the token works for seven days after each of your sign-ins through the directory. For programs that have to run without you, ask an admin for a service account.',
              )}
            </Text>
          )}
        </>
      )}
    </Form>
  );
}

const isLast = ({ id }: { readonly id: string }): boolean => id === lastOrganization();

function Expiry({
  maxDays,
  before,
  selected,
  error,
  onSelect,
}: {
  readonly maxDays: number | undefined;
  readonly before: number | undefined;
  readonly selected: string;
  readonly error: unknown;
  readonly onSelect: (choice: string) => void;
}): ReactNode {
  const now = Date.now();
  const format = dateFormat({ dateStyle: 'medium' });
  const labelOf = (days: number) =>
    t('{days, plural, one {# day} other {# days}}, until {date}', {
      days,
      date: format.format(new Date(now + days * 86_400_000)),
    });
  const fault = faultAt(error, '/expiresAt');
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t('Expires after')}
        description={
          maxDays !== undefined &&
          t(
            '{days, plural, one {At most # day in this organization} other {At most # days in this organization}}',
            {
              days: maxDays,
            },
          )
        }
        disabled={maxDays === undefined}
        data={[
          ...expiryChoices(maxDays ?? 0, before).map((days) => ({
            value: String(days),
            label: labelOf(days),
          })),
          { value: onDate, label: t('On a date…') },
        ]}
        value={selected}
        onChange={(event) => onSelect(event.currentTarget.value)}
        error={selected === onDate ? undefined : fault}
      />
      {selected === onDate && (
        <TextInput
          name="day"
          type="date"
          label={t('Last day')}
          required
          min={dayFromNow(0, now)}
          max={dayFromNow(maxDays ?? 0, now)}
          error={fault}
        />
      )}
    </Stack>
  );
}
