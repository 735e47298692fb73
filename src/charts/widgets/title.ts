import type { WidgetResult } from '#contract/dashboards/results.ts';

interface TitledWidget {
  readonly config: Readonly<Record<string, unknown>>;
}

/** Returns the title of a widget: its own, or that of its report; undefined if the report isn't known. */
export function titleOf({
  widget,
  line,
}: {
  readonly widget: TitledWidget;
  readonly line: Pick<WidgetResult, 'reportName' | 'visualization'> | undefined;
}): string | undefined {
  return ownTitleOf(widget) ?? (line?.visualization?.title || line?.reportName || undefined);
}

/** Returns the title that a widget was given; undefined if it shows that of its report. */
export function ownTitleOf({ config }: TitledWidget): string | undefined {
  const title = config['title'];
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}
