import { Center, Paper, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from '../ui/Logo.tsx';

/** A page without the frame, for people who aren't signed in: one card in the middle. */
export function BarePage({
  title,
  logoId,
  children,
}: {
  readonly title: string;
  /** Of the logo of the organization that the page is about, if the visitor knows it. */
  readonly logoId?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  useDocumentTitle(`${title} · Atrium`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Stack gap="md">
          <div>
            <Logo logoId={logoId} height={40}>
              <img src="/icon.svg" alt="" width={40} height={40} />
            </Logo>
          </div>
          <Title order={1} fz="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
