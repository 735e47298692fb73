import { SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Certificates } from '../certificates/Certificates.tsx';
import { WorkloadIdentity } from '../certificates/WorkloadIdentity.tsx';
import { ConnectionForm } from '../connection/ConnectionForm.tsx';
import { Sketch } from '../register/Sketch.tsx';
import { sketches } from '../register/sketches.ts';
import type { Sso } from '../queries.ts';
import type { DraftState } from '../connection/use-draft.ts';

/** The form for the app details, next to sketches of where the directory shows them. */
export const ConnectStep = ({
  sso,
  draftState,
}: {
  readonly sso: Sso;
  readonly draftState: DraftState;
}): ReactNode => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
    <Stack gap="xl">
      <ConnectionForm sso={sso} draftState={draftState} />
      {sso.configuration !== undefined && (
        <>
          <Certificates connection={{ orgId: sso.orgId, connectionId: sso.configuration.id }} />
          <WorkloadIdentity connection={{ orgId: sso.orgId, connectionId: sso.configuration.id }} />
        </>
      )}
    </Stack>
    <Stack>
      {sketches[draftState.draft.kind]?.connect.map((page) => (
        <Sketch key={page.description} page={page} />
      ))}
    </Stack>
  </SimpleGrid>
);
