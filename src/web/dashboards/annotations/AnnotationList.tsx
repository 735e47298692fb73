import { Box, Button, ColorSwatch, Group, Popover, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { chartTheme, resolveColor } from '#charts/drawing/palette.ts';
import { annotationTimeText } from '#charts/time/annotations.ts';
import { t } from '#shared/language/messages.ts';
import type { Annotation } from '#shared/annotations/annotations.ts';

/** A button that lists the annotations of a dashboard, with all of their texts. */
export function AnnotationList({ annotations }: { readonly annotations: readonly Annotation[] }): ReactNode {
  const theme = chartTheme(useComputedColorScheme('light') === 'dark');
  return (
    <Popover position="bottom-start" width={320} trapFocus withRoles={false} shadow="md">
      <Popover.Target>
        <Button
          className="no-print"
          size="xs"
          variant="default"
          aria-haspopup="dialog"
          leftSection={<IconCalendarEvent size={14} />}
        >
          {t('{count, plural, one {# annotation} other {# annotations}}', { count: annotations.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('Annotations')}>
        <Box mah={360} tabIndex={0} role="group" aria-label={t('Annotations')} style={{ overflowY: 'auto' }}>
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {annotations.map((annotation) => (
              <Group key={annotation.key} component="li" gap="xs" wrap="nowrap" align="flex-start">
                <ColorSwatch
                  size={10}
                  mt={5}
                  withShadow={false}
                  color={
                    annotation.color === undefined ? theme.dimmed : resolveColor(annotation.color, theme)
                  }
                />
                <Box flex={1} style={{ overflowWrap: 'anywhere' }}>
                  <Text size="sm">{annotation.text}</Text>
                  <Text size="xs" c="dimmed">
                    {annotationTimeText(annotation)}
                  </Text>
                </Box>
              </Group>
            ))}
          </Stack>
        </Box>
      </Popover.Dropdown>
    </Popover>
  );
}
