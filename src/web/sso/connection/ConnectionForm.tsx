import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { t } from '#shared/language/messages.ts';
import { ConfirmDialog } from '../../ui/actions/ConfirmDialog.tsx';
import { Failure } from '../../ui/problems/Failure.tsx';
import { isShownByFields } from '../../ui/problems/field-faults.ts';
import { notifyDone } from '../../ui/notifications/notify.ts';
import { isMoved, tenantFault, toBody, toWhere, typedDomain } from './connection.ts';
import { fieldPointers, missingAddress, fieldError } from './fields.ts';
import { consequencesOf } from '../steps/consequences.ts';
import { directoryTexts } from '../directory-kinds.ts';
import { SecretFields } from './SecretFields.tsx';
import type { Sso } from '../queries.ts';
import type { DraftState } from './use-draft.ts';
import { useActor } from '../use-actor.ts';
import { useSaving, type Saved } from './use-saving.ts';

/** Stores the app details. Asks for confirmation before a change that ends sessions. Values stay when saving fails. */
export function ConnectionForm({
  sso,
  draftState,
}: {
  readonly sso: Sso;
  readonly draftState: DraftState;
}): ReactNode {
  const { orgId, status, configuration, policy } = sso;
  const { draft, change } = draftState;
  const texts = directoryTexts[draft.kind];
  const [secret, setSecret] = useState('');
  const [asked, setAsked] = useState<{ saved: Saved; sentences: readonly string[] }>();
  const tenant = useRef<HTMLInputElement>(null);
  const [isTried, setTried] = useState(false);
  const actor = useActor(orgId);
  const saving = useSaving(sso);
  const moves = configuration !== undefined && isMoved(configuration, draft);
  const { error } = saving;
  const errorOf = (field: (typeof fieldPointers)[number]) =>
    fieldError(field, { error, status, isChanged: draftState.isChanged || secret !== '' });

  const save = (saved: Saved) =>
    saving.mutate(saved, {
      onSuccess() {
        setSecret('');
        setTried(false);
        draftState.discard();
        notifyDone(t('Connection saved.'));
      },
      onSettled: () => setAsked(undefined),
    });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (missingAddress(draft) !== undefined) return;
    if (draft.kind === 'entra' && tenantFault(draft.tenantId) !== undefined) {
      tenant.current?.focus();
      return;
    }
    const saved = toSaved();
    const sentences = moves ? consequencesOf(sso, 'move', actor) : [];
    if (moves && configuration.hasSecret && secret.trim() === '') {
      sentences.push(
        t('The stored client secret is deleted. Nobody can sign in until you enter a secret again.'),
      );
    }
    if (sentences.length > 0) setAsked({ saved, sentences });
    else save(saved);
  };
  const toSaved = (): Saved => {
    const { secretExpiresAt, ...rest } = policy;
    const expiresOn = draft.secretExpiresOn;
    return {
      body: toBody(configuration, draft.kind, {
        ...toWhere(draft),
        emailDomains: configuration?.emailDomains ?? [typedDomain(draft.domain)],
        enabled: configuration?.enabled ?? false,
        ...(secret.trim() !== '' && { clientSecret: secret.trim() }),
      }),
      ...(expiresOn !== (secretExpiresAt?.slice(0, 10) ?? '') && {
        policy: { ...rest, ...(expiresOn !== '' && { secretExpiresAt: expiresOn }) },
      }),
    };
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {draft.kind === 'entra' && (
          <TextInput
            ref={tenant}
            label={t('Directory (tenant) ID')}
            description={t('On the Overview of the app registration.')}
            value={draft.tenantId}
            onChange={(event) => change({ tenantId: event.currentTarget.value })}
            error={tenantFault(draft.tenantId) ?? errorOf('/tenantId')}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {draft.kind !== 'google' && (draft.kind !== 'entra' || draft.discoveryUrl !== '') && (
          <TextInput
            label={t('Discovery address')}
            description={texts.address}
            value={draft.discoveryUrl}
            onChange={(event) => change({ discoveryUrl: event.currentTarget.value })}
            error={(isTried ? missingAddress(draft) : undefined) ?? errorOf('/discoveryUrl')}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <TextInput
          label={texts.clientId.label}
          description={texts.clientId.where}
          value={draft.clientId}
          onChange={(event) => change({ clientId: event.currentTarget.value })}
          error={errorOf('/clientId')}
          autoComplete="off"
          spellCheck={false}
        />
        <SecretFields
          sso={sso}
          kind={draft.kind}
          secret={secret}
          onSecret={setSecret}
          expiresOn={draft.secretExpiresOn}
          onExpiresOn={(secretExpiresOn) => change({ secretExpiresOn })}
          moves={moves}
          error={errorOf('/clientSecret')}
        />
        {configuration === undefined && (
          <TextInput
            label={t('Email domain')}
            description={t(
              'The domain of the people who sign in, such as contoso.com. You can add more later.',
            )}
            value={draft.domain}
            onChange={(event) => change({ domain: event.currentTarget.value })}
            error={errorOf('/emailDomains/0')}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {error !== null && asked === undefined && !isShownByFields(error, fieldPointers) && (
          <Failure error={error} />
        )}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('Save')}
          </Button>
          {draftState.isChanged && configuration !== undefined && (
            <Button variant="default" onClick={draftState.discard}>
              {t('Discard changes')}
            </Button>
          )}
          {draftState.isChanged && (
            <Text size="sm" c="dimmed">
              {t('Draft saved in this tab, without the secret')}
            </Text>
          )}
        </Group>
      </Stack>
      <ConfirmDialog
        title={t('Change where people sign in?')}
        sentences={asked?.sentences ?? []}
        action={t('Save')}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          if (asked !== undefined) save(asked.saved);
        }}
        isPending={saving.isPending}
        error={error}
      />
    </form>
  );
}
