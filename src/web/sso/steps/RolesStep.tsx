import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';
import type { Role } from '#contract/organizations/organizations.ts';
import type { RoleMapping, SsoPolicy } from '#contract/sso/policy.ts';
import { t } from '#shared/language/messages.ts';
import { mayGive, roles } from '#shared/permissions.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { requiresOwner, type Sso } from '../queries.ts';
import { textsOf, type DirectoryTexts } from '../directory-kinds.ts';
import { groupsQuery } from '../../ui/server-data/group-queries.ts';
import { usePolicySaving } from '../connection/use-saving.ts';

type Roles = Pick<SsoPolicy, 'defaultRole' | 'roleMappings'>;

const claims = [
  { value: 'roles', label: t('App role') },
  { value: 'groups', label: t('Group') },
];
const defaults = roles.filter((role) => role !== 'owner').toReversed();

/** Which roles people get: by claims from the directory, or a default role. */
export function RolesStep({ sso }: { readonly sso: Sso }): ReactNode {
  const { role, policy } = sso;
  const words = textsOf(sso.configuration).claims;
  const [typed, setTyped] = useState<Roles>();
  const saving = usePolicySaving(sso);
  const { defaultRole, roleMappings } = typed ?? policy;
  const change = (changes: Partial<Roles>) => setTyped({ defaultRole, roleMappings, ...changes });
  const changeMapping = (index: number, changes: Partial<RoleMapping>) =>
    change({ roleMappings: roleMappings.map((each, at) => (at === index ? { ...each, ...changes } : each)) });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const trimmed = roleMappings.map((each) => ({ ...each, value: each.value.trim() }));
    saving.mutate(
      { ...policy, defaultRole, roleMappings: trimmed },
      {
        onSuccess() {
          setTyped(undefined);
          notifyDone(t('Roles saved.'));
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {t(
            'Without mappings, new people get the role below, and you change roles under Members. With mappings, the directory sets roles at each sign-in and check: people get the most powerful role that matches, or the role below if none matches. The last owner always stays an owner.',
          )}
        </Text>
        <NativeSelect
          label={t('Role of new people')}
          data={[...defaults]}
          value={defaultRole}
          onChange={({ currentTarget: { value } }) =>
            change({ defaultRole: defaults.find((each) => each === value) ?? 'viewer' })
          }
          maw={240}
        />
        {roleMappings.map((mapping, index) => (
          <Mapping
            // Mappings have no id, and each field is controlled.
            key={index}
            number={index + 1}
            mapping={mapping}
            words={words}
            orgId={sso.orgId}
            // Other directories provision no names.
            suggestsGroups={sso.connectionId === undefined}
            mayMakeOwners={mayGive(role, 'owner') || mapping.role === 'owner'}
            onChange={(changes) => changeMapping(index, changes)}
            onRemove={() => change({ roleMappings: roleMappings.filter((_, at) => at !== index) })}
          />
        ))}
        {saving.error !== null && <Failure error={saving.error} />}
        <Group>
          <ActionButton
            type="submit"
            loading={saving.isPending}
            reason={
              requiresOwner({ role, policy })
                ? t('A mapping grants the owner role, so only an owner can change the mappings.')
                : typed === undefined
                  ? t('There are no changes to save.')
                  : undefined
            }
          >
            {t('Save roles')}
          </ActionButton>
          <Button
            variant="default"
            onClick={() =>
              change({ roleMappings: [...roleMappings, { claim: 'roles', value: '', role: 'editor' }] })
            }
          >
            {t('Add a mapping')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Mapping({
  number,
  mapping: { claim, value, role },
  words,
  orgId,
  suggestsGroups,
  mayMakeOwners,
  onChange,
  onRemove,
}: {
  readonly number: number;
  readonly mapping: RoleMapping;
  readonly words: DirectoryTexts['claims'];
  readonly orgId: string;
  /** Whether to suggest the groups that members have, and show the name of the one that is entered. */
  readonly suggestsGroups: boolean;
  readonly mayMakeOwners: boolean;
  readonly onChange: (changes: Partial<RoleMapping>) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const suggestionsId = useId();
  // The search takes no longer texts.
  const [search] = useDebouncedValue(value.trim().slice(0, 256), 200);
  const found = useQuery({
    ...groupsQuery(orgId, search),
    enabled: suggestsGroups && claim === 'groups',
  });
  const groups = claim === 'groups' ? (found.data?.items ?? []) : [];
  const name = groups.find(({ groupId }) => groupId === value.trim())?.name;
  return (
    <Group role="group" aria-label={t('Mapping {number}', { number })} align="flex-end" gap="xs">
      <NativeSelect
        label={t('Claim')}
        data={claims}
        value={claim}
        onChange={(event) => onChange({ claim: event.currentTarget.value === 'groups' ? 'groups' : 'roles' })}
        w={120}
      />
      <TextInput
        label={words[claim]}
        placeholder={claim === 'roles' ? 'Atrium.Editor' : ''}
        value={value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
        required
        withAsterisk={false}
        spellCheck={false}
        description={name === value.trim() ? undefined : name}
        {...(claim === 'groups' && { list: suggestionsId })}
        flex="1 1 220px"
      />
      <NativeSelect
        label={t('Role')}
        data={roles.filter((each) => mayMakeOwners || each !== 'owner')}
        value={role}
        // Sound because these are the values above.
        onChange={(event) => onChange({ role: event.currentTarget.value as Role })}
        w={130}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('Remove mapping {number}', { number })}
        onClick={onRemove}
      >
        <IconX size={16} />
      </ActionIcon>
      {claim === 'groups' && (
        <datalist id={suggestionsId}>
          {groups.map((group) => (
            <option key={group.groupId} value={group.groupId}>
              {group.name}
            </option>
          ))}
        </datalist>
      )}
    </Group>
  );
}
