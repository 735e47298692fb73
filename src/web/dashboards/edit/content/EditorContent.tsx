import { Box, Stack } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { contentOf } from '#shared/content-widgets/content-widgets.ts';
import { t } from '#shared/language/messages.ts';
import { ContentBody } from '../../content/ContentBody.tsx';
import { invalidContentMessage } from '../../content/invalid-content.ts';
import { ReferenceFaults } from './ReferenceFaults.tsx';
import { EditorReferences } from './editor-references.ts';

/** A widget without a report in the editor: what it shows, and the values that it lacks. */
export function EditorContent({
  widget,
}: {
  readonly widget: { readonly reportId: string; readonly config: Readonly<Record<string, unknown>> };
}): ReactNode {
  const context = useContext(EditorReferences);
  const content = contentOf(widget);
  if (content === undefined)
    return t('{invalidContentMessage} Edit it to enter its content.', { invalidContentMessage });
  return (
    <Stack gap="xs" h="100%">
      <ReferenceFaults content={content} context={context} />
      <Box flex={1} mih={0}>
        <ContentBody content={content} level={2} context={context} />
      </Box>
    </Stack>
  );
}
