import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { isIdentityProvider, type IdentityProvider } from '#shared/identity-providers.ts';
import { t } from '#shared/language/messages.ts';
import { directoryTexts } from '../directory-kinds.ts';

/** Chooses the provider of a directory beside the first one. */
export const ProviderSelect = ({
  value,
  onChange,
}: {
  readonly value: IdentityProvider;
  readonly onChange: (provider: IdentityProvider) => void;
}): ReactNode => (
  <NativeSelect
    label={t('Identity provider')}
    value={value}
    onChange={({ currentTarget: { value: chosen } }) => {
      if (isIdentityProvider(chosen)) onChange(chosen);
    }}
    data={Object.entries(directoryTexts).map(([provider, { name }]) => ({ value: provider, label: name }))}
    maw={380}
  />
);
