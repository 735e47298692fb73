import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OfKind } from '#charts/kind.ts';
import { defineView, type ViewProps } from '../kind.ts';
import classes from '../VisualizationView.module.css';
import { fillText } from '#charts/text/fill-text.ts';

/** A text with values from the first row. */
function TextView({ visualization, result }: ViewProps<OfKind<'text'>>): ReactNode {
  return (
    <Text component="div" className={classes['text']}>
      {fillText(visualization.text, result)}
    </Text>
  );
}

export default defineView('text', TextView, { isAlwaysShown: true });
