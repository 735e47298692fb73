import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Token } from '#contract/credentials/tokens.ts';
import type { Organization } from '#contract/organizations/organizations.ts';
import { t } from '#shared/language/messages.ts';
import { CreatedToken, createdTitle, type Created } from './CreatedToken.tsx';
import { replaceTitle } from './kinds.ts';
import { tokensKey } from './queries.ts';
import { TokenForm, type Wanted } from './TokenForm.tsx';

/** What a new token is created from: nothing, or the token that it replaces. */
export type TokenOrigin = 'new' | Token;

/**
 * Creates a token, or another credential of a service account, and shows it once: as long as this dialog is open.
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
  readonly create: (orgId: string, wanted: Wanted) => Promise<Created>;
  readonly onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  // The dialog still shows it while it closes.
  const [shown, setShown] = useState(origin);
  if (origin !== undefined && origin !== shown) setShown(origin);
  const creation = useMutation({
    mutationFn: ({ orgId, wanted }: { readonly orgId: string; readonly wanted: Wanted }) =>
      create(orgId, wanted),
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
          ? createdTitle(created)
          : replaced !== undefined
            ? replaceTitle(replaced)
            : ofServiceAccount === undefined
              ? t('Create a personal token')
              : t('Create a credential of {name}', { name: ofServiceAccount })
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
          onSubmit={(orgId, wanted) => creation.mutate({ orgId, wanted })}
          onCancel={onClose}
        />
      ) : (
        <CreatedToken created={created} isReplacement={replaced !== undefined} onDone={onClose} />
      )}
    </Modal>
  );
}
