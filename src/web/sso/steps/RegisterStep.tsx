import { Anchor, List, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '#shared/language/messages.ts';
import { CopyField } from '../../ui/forms/CopyField.tsx';
import { ProviderSelect } from '../directories/ProviderSelect.tsx';
import { directoryTexts } from '../directory-kinds.ts';
import { Sketch } from '../register/Sketch.tsx';
import { sketches } from '../register/sketches.ts';
import type { Sso } from '../queries.ts';
import type { DraftState } from '../connection/use-draft.ts';
import { rich } from '../../ui/text/rich.tsx';

/** The choice of the directory, and the redirect URI to register there. */
export const RegisterStep = ({
  sso,
  draftState,
}: {
  readonly sso: Sso;
  readonly draftState: DraftState;
}): ReactNode => {
  const { kind } = draftState.draft;
  const texts = directoryTexts[kind];
  const sketch = sketches[kind];
  return (
    <Stack>
      {sso.connectionId === undefined ? (
        <SegmentedControl
          aria-label={t('Directory')}
          value={kind}
          onChange={(value) => draftState.change({ kind: value === 'adfs' ? 'adfs' : 'entra' })}
          data={[
            { value: 'entra', label: directoryTexts.entra.name },
            { value: 'adfs', label: directoryTexts.adfs.name },
          ]}
          maw={380}
        />
      ) : (
        <ProviderSelect value={kind} onChange={(chosen) => draftState.change({ kind: chosen })} />
      )}
      <CopyField label={t('Redirect URI')} value={sso.status.redirectUri} />
      <div>
        <CopyField label={t('Logout URL (optional)')} value={sso.status.logoutUrl} />
        <Text size="sm" c="dimmed" mt="xs">
          {texts.logout}
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, md: sketch === undefined ? 1 : 2 }} spacing="lg">
        <div>
          <Text fw={600} size="sm" mb="xs">
            {t('In the {console}', { console: texts.console })}
          </Text>
          <List type="ordered" size="sm" spacing="xs">
            {texts.register.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          {kind === 'entra' && (
            <Text size="sm" c="dimmed" mt="sm">
              {rich('Open <link>App registrations (in a new tab)</link>', {
                link: (text) => (
                  <Anchor
                    href="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade"
                    target="_blank"
                    rel="noreferrer"
                    size="sm"
                    underline="always"
                  >
                    {text}
                  </Anchor>
                ),
              })}
            </Text>
          )}
        </div>
        {sketch !== undefined && <Sketch page={sketch.register} />}
      </SimpleGrid>
    </Stack>
  );
};
