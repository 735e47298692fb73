import { Button, Checkbox, Group, Input, Stack, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import type { TokenScope } from '#contract/scopes.ts';
import { t } from '#shared/language/messages.ts';
import { areSameScopes, provisioningGroup, scopeGroups, scopePresets, scopeTexts, sorted } from './scopes.ts';

/** The choice of what a token permits, with presets. */
export function ScopeFields({
  scopes,
  isPersonal,
  onChange,
}: {
  readonly scopes: readonly TokenScope[];
  readonly isPersonal: boolean;
  readonly onChange: (scopes: TokenScope[]) => void;
}): ReactNode {
  const id = useId();
  const isProvisioning = scopes.includes('scim');
  return (
    <Stack gap="sm" role="group" aria-labelledby={id}>
      <div>
        <Input.Label component="div" id={id}>
          {t('Permissions')}
        </Input.Label>
        <Input.Description>
          {t('No permission includes another: a program that changes something usually needs to read, too.')}
        </Input.Description>
      </div>
      <Group gap="xs">
        {scopePresets.map((preset) => {
          const isChosen = areSameScopes(preset.scopes, scopes);
          return (
            <Button
              key={preset.name}
              size="compact-sm"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              onClick={() => onChange([...preset.scopes])}
            >
              {preset.name}
            </Button>
          );
        })}
      </Group>
      {scopeGroups.map((group) => (
        <ScopeGroup key={group.title} {...group} chosen={isProvisioning ? [] : scopes} onChange={onChange} />
      ))}
      {!isPersonal && (
        <ScopeGroup {...provisioningGroup} chosen={isProvisioning ? scopes : []} onChange={onChange} />
      )}
    </Stack>
  );
}

function ScopeGroup({
  title,
  scopes,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly scopes: readonly TokenScope[];
  readonly chosen: readonly TokenScope[];
  readonly onChange: (scopes: TokenScope[]) => void;
}): ReactNode {
  const id = useId();
  return (
    <Stack gap={6} role="group" aria-labelledby={id}>
      <Text size="xs" c="dimmed" fw={600} id={id}>
        {title}
      </Text>
      {scopes.map((scope) => (
        <Checkbox
          key={scope}
          label={scopeTexts[scope].name}
          description={scopeTexts[scope].permits}
          checked={chosen.includes(scope)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? sorted([...chosen, scope])
                : chosen.filter((other) => other !== scope),
            )
          }
        />
      ))}
    </Stack>
  );
}
