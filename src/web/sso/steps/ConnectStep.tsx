import { SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConnectionForm } from '../connection/ConnectionForm.tsx';
import { Sketch } from '../register/Sketch.tsx';
import { sketches } from '../register/sketches.ts';
import type { Sso } from '../sso-queries.ts';
import type { DraftHold } from '../connection/use-draft.ts';

/** The form for the app details, next to sketches of where the directory shows them. */
export const ConnectStep = ({ sso, hold }: { readonly sso: Sso; readonly hold: DraftHold }): ReactNode => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
    <ConnectionForm sso={sso} hold={hold} />
    <Stack>
      {sketches[hold.draft.kind].connect.map((page) => (
        <Sketch key={page.words} page={page} />
      ))}
    </Stack>
  </SimpleGrid>
);
