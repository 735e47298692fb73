import { Group, NumberInput, PasswordInput, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { faultAt } from '../../../ui/problems/field-faults.ts';
import { losesPassword, type PostgresqlSource, type TypedConnection } from './form.ts';

const tlsChoices = [
  { value: 'verify', label: t('Encrypted, certificate checked') },
  { value: 'require', label: t('Encrypted, certificate not checked') },
  { value: 'off', label: t('Not encrypted') },
];

const isTls = (value: string | null): value is TypedConnection['tls'] =>
  tlsChoices.some((choice) => choice.value === value);

/** The fields of a connection to a PostgreSQL server; `error` is what the server replied to the last attempt. */
export function ConnectionFields({
  source,
  typed,
  change,
  error,
}: {
  readonly source?: PostgresqlSource;
  readonly typed: TypedConnection;
  readonly change: (typed: TypedConnection) => void;
  readonly error: unknown;
}): ReactNode {
  const at = (name: keyof TypedConnection) => faultAt(error, `/connection/${name}`);
  return (
    <Stack gap="sm">
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          label={t('Server')}
          placeholder="db.example.com"
          required
          flex={1}
          maxLength={253}
          autoComplete="off"
          spellCheck={false}
          error={at('host')}
          value={typed.host}
          onChange={(event) => change({ ...typed, host: event.currentTarget.value })}
        />
        <NumberInput
          label={t('Port')}
          required
          w={110}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          error={at('port')}
          value={typed.port}
          onChange={(port) => change({ ...typed, port })}
        />
      </Group>
      <TextInput
        label={t('Database')}
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        error={at('database')}
        value={typed.database}
        onChange={(event) => change({ ...typed, database: event.currentTarget.value })}
      />
      <TextInput
        label={t('User')}
        description={t('Use a read-only role that can see only what reports need')}
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        error={at('user')}
        value={typed.user}
        onChange={(event) => change({ ...typed, user: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('Password')}
        description={passwordHint(source, typed)}
        autoComplete="new-password"
        maxLength={1024}
        error={at('password')}
        value={typed.password}
        onChange={(event) => change({ ...typed, password: event.currentTarget.value })}
      />
      <Select
        label={t('Encryption')}
        data={tlsChoices}
        allowDeselect={false}
        error={at('tls')}
        value={typed.tls}
        onChange={(tls) => isTls(tls) && change({ ...typed, tls })}
      />
    </Stack>
  );
}

function passwordHint(source: PostgresqlSource | undefined, typed: TypedConnection): string {
  if (source === undefined) return t('Stored encrypted and never shown again');
  if (losesPassword(source.connection, typed))
    return t(
      'Enter it again: the stored password is never sent to another address or over a less secure connection',
    );
  return source.connection.hasPassword
    ? t('Leave empty to keep the stored password')
    : t('No password is stored');
}
