import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import classes from '../view/WidgetCard.module.css';

/** Why a widget has no result, and what you can do about it. */
export function WidgetProblem({
  line,
  onRetry,
}: {
  readonly line?: WidgetResult;
  readonly onRetry: () => void;
}): ReactNode {
  const { title, lines, isFinal } = messageOf(line);
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
          Try again
        </Button>
      )}
    </div>
  );
}

/** Returns the message for a result that is missing or failed. It is final if trying again wouldn't help. */
function messageOf(line: WidgetResult | undefined): {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isFinal: boolean;
} {
  const { problem, reportName } = line ?? {};
  if (problem === undefined) {
    return {
      title: 'No result received',
      lines: ['The connection was lost before this result arrived.'],
      isFinal: false,
    };
  }
  const { code, title, detail, errors = [] } = problem;
  if (code === 'report_deleted') {
    const lines = [
      'Anyone who can edit the dashboard can restore the report from the trash, or remove this widget.',
    ];
    return { title: `The report “${reportName ?? ''}” was deleted`, lines, isFinal: true };
  }
  if (code === 'not_found') {
    const lines = ["It doesn't exist, or you don't have access to it."];
    return { title: 'Report not found', lines, isFinal: true };
  }
  const faults = errors.map(({ pointer, message }) => `${pointer.split('/').at(-1) ?? ''} ${message}`.trim());
  return {
    title,
    lines: faults.length > 0 ? faults : [detail],
    isFinal: code === 'invalid_parameters' || code === 'invalid_body' || code === 'filter_required',
  };
}
