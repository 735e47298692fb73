import type { ServerState } from '#contract/operation.ts';
import type { Settings } from '../settings/settings.ts';
import { settingsTable, type Setting } from '../settings/table.ts';
import type { PrivateHost } from '../settings/values.ts';

type SettingInEffect = ServerState['settings'][number];

/** Returns the settings by their environment variables, without secrets. */
export const settingsInEffect = (settings: Settings): SettingInEffect[] => [
  // Sound because each key is one of the table.
  ...Object.entries(settingsTable).map(([name, setting]) =>
    describe(setting, settings[name as keyof typeof settingsTable]),
  ),
  describe({ variable: 'ATRIUM_OWNER_EMAIL', isSecret: false }, settings.firstOwner?.email),
  describe({ variable: 'ATRIUM_OWNER_PASSWORD', isSecret: true }, settings.firstOwner?.password),
  describe({ variable: 'ATRIUM_ORGANIZATION', isSecret: false }, settings.firstOwner?.organization),
];

function describe(
  { variable: name, isSecret }: Pick<Setting<unknown>, 'variable' | 'isSecret'>,
  value: Settings[keyof typeof settingsTable],
): SettingInEffect {
  const shown = show(value);
  const isSet = shown !== '';
  if (name === settingsTable.secretKeys.variable && !isSet)
    return { name, isSecret: false, isSet, value: 'generated, in the data directory' };
  return { name, isSecret, isSet, ...(isSet && !isSecret && { value: shown }) };
}

function show(value: Settings[keyof typeof settingsTable]): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.map(showEntry).join(', ') : String(value);
}

function showEntry(entry: string | PrivateHost): string {
  if (typeof entry === 'string') return entry;
  const { host, port, organizationId } = entry;
  const owner = organizationId === undefined ? '' : `=${organizationId}`;
  return (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`) + owner;
}
