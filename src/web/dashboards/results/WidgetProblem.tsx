import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import { widgetProblemMessage } from '#charts/widgets/problem-message.ts';
import { t } from '#shared/language/messages.ts';
import classes from '../view/WidgetCard.module.css';

/** Why a widget has no result, and what you can do about it. */
export function WidgetProblem({
  line,
  onRetry,
}: {
  readonly line?: WidgetResult;
  readonly onRetry: () => void;
}): ReactNode {
  const { title, lines, isFinal } = widgetProblemMessage(line);
  return (
    <div className={classes['problem']} role="group" data-quiet={isFinal || undefined}>
      <Text size="sm" fw={600} {...(!isFinal && { c: 'var(--mantine-color-error)' })}>
        {title}
      </Text>
      {lines.map((text) => (
        <Text key={text} size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      ))}
      {!isFinal && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
