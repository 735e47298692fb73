import { Checkbox, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { FormerPerson, SsoMigration } from '#contract/sso/migration.ts';
import { t } from '#shared/language/messages.ts';
import { ActionButton } from '../../ui/actions/ActionButton.tsx';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { Section } from '../../ui/page/Section.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { reasonAgainst } from '../../ui/text/permissions.ts';
import type { Sso } from '../queries.ts';
import { outcomeOf, printList, readList } from './list.ts';
import { PeopleTable } from './PeopleTable.tsx';
import { migrationQuery, useMigrationSaving } from './queries.ts';

/** Who keeps their account after a change of the identity provider. Shown if someone signed in through a former one. */
export function MigrationCard({ sso }: { readonly sso: Sso }): ReactNode {
  const { data, error, refetch } = useQuery(migrationQuery(sso.orgId));
  if (data === undefined)
    return error === null ? null : <Failure error={error} retry={() => void refetch()} />;
  return data.migration.totalCount === 0 ? null : <Migration sso={sso} {...data} />;
}

function Migration({
  sso: { orgId, role },
  migration,
  people,
}: {
  readonly sso: Sso;
  readonly migration: SsoMigration;
  readonly people: readonly FormerPerson[];
}): ReactNode {
  const [typed, setTyped] = useState<{ byAddress?: boolean; list?: string }>({});
  const saving = useMigrationSaving(orgId);
  const { totalCount, movedCount, acceptedAt } = migration;
  const isAccepted = acceptedAt !== undefined;
  const stored = printList(migration.people, people);
  const { byAddress = migration.byAddress, list = stored } = typed;
  const read = readList(list, people);
  const draft = { byAddress, people: read.people ?? migration.people };
  const isChanged = byAddress !== migration.byAddress || list !== stored;
  const outcomes = people.map((person) => ({ ...person, ...outcomeOf(person, draft) }));
  const kept = outcomes.filter(({ state }) => state === 'matched').length;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(
      { byAddress, people: [...draft.people] },
      {
        onSuccess() {
          setTyped({});
          notifyDone(t('People keep their accounts at their next sign-in.'));
        },
      },
    );
  };
  return (
    <Section
      title={t('People of the former provider')}
      description={
        isAccepted
          ? t(
              'At their first sign-in through the current provider, people keep their accounts as shown below.',
            )
          : t(
              'People who signed in through another provider get new accounts, without their own dashboards, unless you let them keep theirs. Do this before you turn on single sign-on.',
            )
      }
    >
      <Stack gap={6}>
        <Text size="sm" role="status">
          {t(
            '{totalCount, plural, one {{movedCount} of # person have signed in again.} other {{movedCount} of # people have signed in again.}}',
            { movedCount, totalCount },
          )}{' '}
          {isAccepted && !isChanged
            ? t(
                '{kept, plural, one {# more will keep their account.} other {# more will keep their accounts.}}',
                { kept },
              )
            : t(
                '{kept, plural, one {# more would keep their account.} other {# more would keep their accounts.}}',
                { kept },
              )}
        </Text>
        <Progress value={(movedCount / totalCount) * 100} aria-label={t('People who have signed in again')} />
      </Stack>
      <form onSubmit={submit}>
        <Stack>
          <Checkbox
            label={t('Recognize people by their email address')}
            description={t(
              'If both providers confirm the address, in a verified domain, and nobody else has it.',
            )}
            checked={byAddress}
            onChange={({ currentTarget: { checked } }) => setTyped({ ...typed, byAddress: checked })}
          />
          <Textarea
            label={t('People with another address')}
            description={t(
              'One per line: the address in Atrium, a comma, and the new address or the ID at the new provider. A line with only the address in Atrium excludes that person.',
            )}
            placeholder="bob@contoso.com,robert@contoso.com"
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            value={list}
            error={read.fault}
            onChange={({ currentTarget: { value } }) => setTyped({ ...typed, list: value })}
          />
          {saving.error !== null && <Failure error={saving.error} />}
          <Group>
            <ActionButton
              type="submit"
              loading={saving.isPending}
              reason={
                reasonAgainst('sso.migrate', role) ??
                read.fault ??
                (isAccepted && !isChanged ? t('There are no changes to save.') : undefined)
              }
            >
              {isAccepted ? t('Save changes') : t('Keep these accounts')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
      <PeopleTable orgId={orgId} role={role} people={outcomes} />
    </Section>
  );
}
