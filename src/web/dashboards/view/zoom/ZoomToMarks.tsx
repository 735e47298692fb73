import { IconZoomIn } from '@tabler/icons-react';
import { useContext, type ReactNode } from 'react';
import type { Visualization } from '#contract/reports/visualizations.ts';
import type { Mark } from '#charts/marks/mark.ts';
import { rangeOfMarks } from '#charts/time/range-of-marks.ts';
import { rangeForPeople } from '#charts/time/range.ts';
import type { ResultRows } from '#charts/values/result-values.ts';
import { t } from '#shared/language/messages.ts';
import { MenuAction } from '../../../ui/actions/MenuAction.tsx';
import { SharedTimeContext } from '../../../visualizations/time/shared-time.ts';

/** The item of the menu of marks that lets all charts over time show only their times: what dragging does, by keyboard. */
export function ZoomToMarks({
  visualization,
  result,
  marks,
}: {
  readonly visualization: Visualization | undefined;
  readonly result: ResultRows | undefined;
  readonly marks: readonly Mark[];
}): ReactNode {
  const { onZoom } = useContext(SharedTimeContext);
  const range = visualization && result && rangeOfMarks(visualization, result, marks);
  if (range === undefined || onZoom === undefined) return null;
  return (
    <MenuAction icon={<IconZoomIn size={16} />} onClick={() => onZoom(range)}>
      {t('Zoom in to {range}', { range: rangeForPeople(range) })}
    </MenuAction>
  );
}
