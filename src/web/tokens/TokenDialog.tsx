import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { NewToken, Token, TokenInput } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { CreatedToken } from './CreatedToken.tsx';
import { tokensKey } from './queries.ts';
import { TokenForm } from './TokenForm.tsx';

/** What a new token is created from: nothing, or the token that it replaces. */
export type TokenOrigin = 'new' | Token;

/**
 * Creates a token, and shows it once: as long as this dialog is open.
 */
export function TokenDialog({
  origin,
  organizations,
  ofServiceAccount,
  create,
  onClose,
}: {
  /** Undefined while the dialog is closed. */
  readonly origin: TokenOrigin | undefined;
  /** The organizations of which one is chosen. */
  readonly organizations: readonly Pick<Organization, 'id' | 'name' | 'role'>[];
  /** The name of the service account that the token is for; undefined for a personal token. */
  readonly ofServiceAccount?: string;
  readonly create: (orgId: string, input: TokenInput) => Promise<NewToken>;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  // The dialog still shows it while it closes.
  const [shown, setShown] = useState(origin);
  if (origin !== undefined && origin !== shown) setShown(origin);
  const creation = useMutation({
    mutationFn: ({ orgId, input }: { readonly orgId: string; readonly input: TokenInput }) =>
      create(orgId, input),
    onSuccess: () => client.invalidateQueries({ queryKey: tokensKey }),
    // The response holds the token, which must not stay in a cache.
    gcTime: 0,
  });
  const replaced = shown === 'new' ? undefined : shown;
  const created = creation.data;
  return (
    <Modal
      opened={origin !== undefined}
      onClose={onClose}
      onExitTransitionEnd={() => creation.reset()}
      size="lg"
      title={
        created !== undefined
          ? t('Copy the new token')
          : replaced !== undefined
            ? t('Replace the token “{name}”', { name: replaced.name })
            : ofServiceAccount === undefined
              ? t('Create a personal token')
              : t('Create a token of {name}', { name: ofServiceAccount })
      }
      // The token is lost if the dialog is closed by mistake.
      closeOnClickOutside={created === undefined}
      closeOnEscape={created === undefined}
    >
      {origin === undefined ? null : created === undefined ? (
        <TokenForm
          organizations={organizations}
          isPersonal={ofServiceAccount === undefined}
          replaced={replaced}
          error={creation.error}
          isPending={creation.isPending}
          onSubmit={(orgId, input) => creation.mutate({ orgId, input })}
          onCancel={onClose}
        />
      ) : (
        <CreatedToken created={created} isReplacement={replaced !== undefined} onDone={onClose} />
      )}
    </Modal>
  );
}
