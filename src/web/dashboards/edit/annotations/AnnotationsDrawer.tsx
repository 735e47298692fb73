import { ActionIcon, Box, Button, Drawer, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState, type Dispatch, type ReactNode } from 'react';
import { annotationTimeText } from '#charts/time/annotations.ts';
import { annotationsOfWidgets, maxAnnotations, type Annotation } from '#shared/annotations/annotations.ts';
import { t } from '#shared/language/messages.ts';
import type { EditAction } from '../../../drafts/undo-history.ts';
import { ActionButton } from '../../../ui/actions/ActionButton.tsx';
import { randomId } from '../../../../client/random-id.ts';
import type { DraftContent } from '../draft/content.ts';
import { AnnotationForm } from './AnnotationForm.tsx';
import { withAnnotation, withoutAnnotation } from './draft-annotations.ts';

/** Adds, changes and removes the annotations of a dashboard. Each step can be undone. */
export function AnnotationsDrawer({
  content,
  dispatch,
  onClose,
}: {
  readonly content: DraftContent;
  readonly dispatch: Dispatch<EditAction<DraftContent>>;
  readonly onClose: () => void;
}): ReactNode {
  const [editing, setEditing] = useState<{ readonly annotation: Annotation | undefined }>();
  const list = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The list replaces the form, whose button had the focus.
    if (editing === undefined && wasEditing.current) list.current?.focus();
    wasEditing.current = editing !== undefined;
  }, [editing]);
  const [announcement, setAnnouncement] = useState('');
  const annotations = annotationsOfWidgets(content.widgets);
  const change = (edit: (content: DraftContent) => DraftContent, text: string) => {
    dispatch({ type: 'change', change: edit });
    setAnnouncement(text);
  };
  const apply = (annotation: Annotation) => {
    const widgetKey = randomId();
    const { text } = annotation;
    const announced =
      editing?.annotation === undefined
        ? t('Added {name}.', { name: text })
        : t('Changed {name}.', { name: text });
    change((now) => withAnnotation(now, widgetKey, annotation), announced);
    setEditing(undefined);
  };
  return (
    <Drawer opened onClose={onClose} position="right" title={t('Annotations')} size="md">
      {editing === undefined ? (
        <Stack ref={list} tabIndex={-1}>
          <Text size="sm" c="dimmed">
            {t('All charts over time on this dashboard show its annotations.')}
          </Text>
          <Stack
            gap={4}
            component="ul"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
            aria-label={t('Annotations')}
          >
            {annotations.map((annotation) => (
              <Group key={annotation.key} component="li" gap={4} wrap="nowrap" align="flex-start">
                <Box flex={1} style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm">{annotation.text}</Text>
                  <Text size="xs" c="dimmed">
                    {annotationTimeText(annotation)}
                  </Text>
                </Box>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('Edit {name}', { name: annotation.text })}
                  onClick={() => setEditing({ annotation })}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('Remove {name}', { name: annotation.text })}
                  onClick={() =>
                    change(
                      (now) => withoutAnnotation(now, annotation.key),
                      t('Removed {name}.', { name: annotation.text }),
                    )
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            ))}
          </Stack>
          <Group>
            <ActionButton
              size="xs"
              leftSection={<IconPlus size={14} />}
              reason={
                annotations.length < maxAnnotations
                  ? undefined
                  : t('A dashboard has at most {count} annotations.', { count: maxAnnotations })
              }
              onClick={() => setEditing({ annotation: undefined })}
            >
              {t('Add annotation')}
            </ActionButton>
            <Button size="xs" variant="default" onClick={onClose}>
              {t('Done')}
            </Button>
          </Group>
          <VisuallyHidden role="status">{announcement}</VisuallyHidden>
        </Stack>
      ) : (
        <AnnotationForm
          annotation={editing.annotation}
          onApply={apply}
          onCancel={() => setEditing(undefined)}
        />
      )}
    </Drawer>
  );
}
