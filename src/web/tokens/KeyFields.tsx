import { NativeSelect, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { typeNames, typeUses, type CreatableType } from './kinds.ts';

const types: readonly CreatableType[] = ['bearer', 'client_secret', 'client_key'];

/** Asks how the program of a service account authenticates and, if by a key, for its public key. */
export function KeyFields({
  type,
  isFixed,
  error,
  onChange,
}: {
  readonly type: CreatableType;
  /** Whether it replaces another of the type. */
  readonly isFixed: boolean;
  /** What is wrong with the key. */
  readonly error: string | undefined;
  readonly onChange: (type: CreatableType) => void;
}): ReactNode {
  return (
    <>
      <NativeSelect
        label={t('Type')}
        description={typeUses[type]}
        data={types.map((value) => ({ value, label: typeNames[value] }))}
        value={type}
        disabled={isFixed}
        // Sound because the options are these types.
        onChange={(event) => onChange(event.currentTarget.value as CreatableType)}
      />
      {type === 'client_key' && (
        <Textarea
          name="publicKey"
          label={t('Public key')}
          description={t('As a JWK or in PEM format: P-256, Ed25519, or RSA with 2,048 to 4,096 bits')}
          required
          maxLength={8_000}
          rows={5}
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={error}
        />
      )}
    </>
  );
}
