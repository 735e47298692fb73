import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token, TokenInput } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import type { TokenScope } from '#contract/scopes.ts';
import { t } from '#shared/language/messages.ts';
import { lastOrganization } from '../ui/browser/last-organization.ts';
import { Form } from '../ui/forms/Form.tsx';
import { Failure } from '../ui/problems/Failure.tsx';
import { faultAt } from '../ui/problems/field-faults.ts';
import { roleWithArticle } from '../ui/text/roles.ts';
import { daysOf, expiryAfter, expiryAtEndOf, firstChoice } from './expiry.ts';
import { ExpiryField, onDate } from './ExpiryField.tsx';
import { KeyFields } from './KeyFields.tsx';
import { PublicKeyFault } from './public-key.ts';
import { tokenPolicyQuery } from './queries.ts';
import { createSecondTexts, createTexts, typeToReplace, type CreatableType } from './kinds.ts';
import { ScopeFields } from './ScopeFields.tsx';

/** What is created: the public key, as it was typed, only if the type is that of a key. */
export interface Wanted {
  readonly type: CreatableType;
  readonly input: TokenInput;
  readonly publicKey: string;
}

/** Asks for the organization or the type, the name, the scopes and the expiry of a token. */
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
  readonly onSubmit: (orgId: string, wanted: Wanted) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [orgId, setOrgId] = useState(
    () => replaced?.organizationId ?? (organizations.find(isLast) ?? organizations[0])?.id ?? '',
  );
  const [scopes, setScopes] = useState<TokenScope[]>(replaced?.scopes ?? ['read']);
  const [type, setType] = useState(() => typeToReplace(replaced));
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
      error={error instanceof PublicKeyFault ? undefined : error}
      pointers={['/name', '/expiresAt', '/publicKey']}
      action={replaced === undefined ? createTexts[type] : createSecondTexts[type]}
      reason={policy.isPending ? undefined : reason}
      isPending={isPending || policy.isPending}
      onSubmit={(field) => {
        if (maxDays === undefined) return;
        const now = Date.now();
        const expiresAt =
          selected === onDate
            ? expiryAtEndOf(field('day'), maxDays, now)
            : expiryAfter(Number(selected), maxDays, now);
        const input = { name: field('name'), scopes, expiresAt };
        onSubmit(orgId, { type, input, publicKey: field('publicKey') });
      }}
      onCancel={onCancel}
    >
      {replaced !== undefined && (
        <Text size="sm">{t('Both work until you revoke the old one, so that no program has to stop.')}</Text>
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
          {!isPersonal && (
            <KeyFields
              type={type}
              isFixed={replaced !== undefined}
              error={error instanceof PublicKeyFault ? error.message : faultAt(error, '/publicKey')}
              onChange={setType}
            />
          )}
          <ScopeFields scopes={scopes} isPersonal={isPersonal} onChange={setScopes} />
          <ExpiryField
            maxDays={maxDays}
            before={before}
            selected={selected}
            error={error}
            onSelect={setChoice}
          />
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
