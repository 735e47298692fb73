import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { WidgetResult } from '#contract/dashboards/results.ts';
import type { ParameterValue, Report } from '#contract/reports/reports.ts';
import type { Actor } from '../../base/actor.ts';
import { AtriumError, toProblem } from '../../base/errors.ts';
import { makeAnswerBody, type AnswerBody } from '../../reports/response-body.ts';
import type { AnswerRoom } from '../../results/memory-budget.ts';
import { runReport, runRequiredReport, type RunNeeds, type RunOptions } from '../../reports/runs.ts';
import { findDeletedReportName, getReport } from '../../reports/reports.ts';
import { requireDashboard } from '../access/access.ts';
import { contentOf } from '../history/versions.ts';

/** So many reports of one dashboard are asked for at once; how many a source runs at once is the engine's. */
const maxAtOnce = 16;

/** A report of a dashboard, and the widgets that show it. */
interface ShownReport {
  readonly reportId: string;
  readonly widgetIds: string[];
}

/** What the results of dashboards take. */
export interface ResultsNeeds extends RunNeeds {
  readonly room: AnswerRoom;
}

/**
 * Runs the reports of a dashboard that the actor may see, and returns a line of NDJSON for each as it is ready, those at
 * the top of the grid begun first. Whether the actor may see a report is asked for each. Throws `not_found` before the
 * first line.
 */
export async function runDashboard(
  needs: ResultsNeeds,
  actor: Actor,
  input: {
    readonly id: string;
    readonly values: Readonly<Record<string, string | readonly string[]>>;
    readonly isForced: boolean;
    readonly signal: AbortSignal;
    /** Is told of a failure that is the server's own; the line then tells no more than that. */
    readonly onFailure: (error: unknown) => void;
  },
): Promise<AsyncGenerator<string | Uint8Array>> {
  const dashboard = await requireDashboard(needs.database, actor, input.id);
  const shown = listShown(contentOf(dashboard).widgets);
  const options = { ...input, together: new Map() };
  const once = { ...needs, findSource: rememberSources(needs) };
  return linesOf(shown, (report) => runShown(once, actor, report, options));
}

type PlacedWidget = {
  readonly id: string;
  readonly reportId: string;
  readonly layout: { x: number; y: number };
};

function listShown(widgets: readonly PlacedWidget[]): ShownReport[] {
  const inReadingOrder = widgets.toSorted(
    (one, other) => one.layout.y - other.layout.y || one.layout.x - other.layout.x,
  );
  const byReport = Map.groupBy(inReadingOrder, ({ reportId }) => reportId);
  return [...byReport].map(([reportId, of]) => ({ reportId, widgetIds: of.map(({ id }) => id) }));
}

/** For how long what was read of a data source holds for the other reports of a dashboard. */
const rememberedMs = 1_000;

/** Reads a data source that many reports of a dashboard ask once, rather than for each. */
function rememberSources({ clock, findSource }: RunNeeds): RunNeeds['findSource'] {
  const found = new Map<string, { readonly at: number; readonly source: ReturnType<typeof findSource> }>();
  return (reader, organizationId, dataSourceId) => {
    const key = JSON.stringify([organizationId, dataSourceId]);
    const before = found.get(key);
    if (before !== undefined && clock() - before.at < rememberedMs) return before.source;
    const source = findSource(reader, organizationId, dataSourceId);
    found.set(key, { at: clock(), source });
    return source;
  };
}

/** For how long at most the first report of a dashboard is asked for by itself. */
const headStartMs = 25;

/**
 * Yields the lines as they are ready, those that are large in pieces. To prepare the others takes processors that the
 * query of the first runs on.
 */
async function* linesOf(
  reports: readonly ShownReport[],
  run: (report: ShownReport) => Promise<AnswerBody>,
): AsyncGenerator<string | Uint8Array> {
  const waiting = [...reports];
  const running = new Map<ShownReport, Promise<{ report: ShownReport; line: AnswerBody }>>();
  function beginUpTo(count: number): void {
    for (const report of waiting.splice(0, count - running.size)) {
      running.set(
        report,
        run(report).then((line) => ({ report, line })),
      );
    }
  }
  beginUpTo(1);
  let isAhead = true;
  while (running.size > 0) {
    const next = await Promise.race([...running.values(), ...(isAhead ? [delay(headStartMs)] : [])]);
    if (next !== undefined) {
      running.delete(next.report);
      const { pieces, release } = next.line;
      if (typeof pieces === 'string') yield pieces;
      else yield* pieces;
      release();
    }
    // The line is on its way before the others are prepared.
    if (isAhead) await setImmediate();
    isAhead = false;
    beginUpTo(maxAtOnce);
  }
}

async function runShown(
  needs: ResultsNeeds,
  actor: Actor,
  { reportId, widgetIds }: ShownReport,
  options: Parameters<typeof runDashboard>[2] & Pick<RunOptions, 'together'>,
): Promise<AnswerBody> {
  let shown: WidgetResult = { widgetIds, reportId };
  try {
    const report = await getReport(needs.database, actor, reportId);
    shown = { ...shown, ...describe(report.content) };
    const parameters = pickValues(report.content.parameters, options.values);
    const asked = { ...options, parameters, pointer: '' };
    // Who had to wait for room is asked again whether the report is still theirs to see.
    const run = (hasWaited: boolean) =>
      hasWaited ? runReport(needs, actor, reportId, asked) : runRequiredReport(needs, actor, report, asked);
    const { pieces, release } = await makeAnswerBody(needs.room, run, options.signal);
    const head = `${JSON.stringify(shown).slice(0, -1)},"result":`;
    return { pieces: surround(head, pieces, '}\n'), release };
  } catch (error) {
    if (!(error instanceof AtriumError)) options.onFailure(error);
    const known = error instanceof AtriumError ? ofAddress(error) : new AtriumError('internal');
    const deletedName =
      shown.reportName === undefined
        ? await findDeletedReportName(needs.database, actor, reportId)
        : undefined;
    const line = {
      ...shown,
      ...(deletedName !== undefined && { reportName: deletedName }),
      problem: deletedName === undefined ? toProblem(known) : deletedProblem,
    } satisfies WidgetResult;
    return { pieces: `${JSON.stringify(line)}\n`, release: () => undefined };
  }
}

/** The values of filters come in the address, where a run of one report has them in its body. */
function ofAddress(error: AtriumError): AtriumError {
  const { code, message, faults = [], cause } = error;
  return code === 'invalid_body' ? new AtriumError('invalid_parameters', message, { faults, cause }) : error;
}

const surround = (head: string, pieces: AnswerBody['pieces'], tail: string): AnswerBody['pieces'] =>
  typeof pieces === 'string' ? head + pieces + tail : surroundEach(head, pieces, tail);

function* surroundEach<Piece>(head: Piece, pieces: Iterable<Piece>, tail: Piece): Generator<Piece> {
  yield head;
  yield* pieces;
  yield tail;
}

/** What draws a report and filters it. */
const describe = ({ name, visualization, parameters }: ShownContent): Partial<WidgetResult> => ({
  reportName: name,
  visualization,
  parameters: parameters.map(({ allowed, ...parameter }) => ({
    ...parameter,
    hasAllowed: allowed?.query !== undefined || allowed?.values !== undefined,
  })),
});

type ShownContent = Pick<Report, 'name' | 'visualization' | 'parameters'>;

const deletedProblem = toProblem(new AtriumError('report_deleted', 'The report was deleted.'));

/** Returns those values of the dashboard's filters that a report has a parameter for, in its type where they fit it. */
function pickValues(
  parameters: readonly { readonly name: string; readonly type: string }[],
  values: Readonly<Record<string, string | readonly string[]>>,
): Record<string, ParameterValue> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const given = Object.hasOwn(values, name) ? values[name] : undefined;
      return given === undefined ? [] : [[name, toValue(type, given)]];
    }),
  );
}

/** An empty text is a value of texts alone: of any other type none is chosen. What does not fit stays as it is, to be told. */
function toValue(type: string, given: string | readonly string[]): ParameterValue {
  if (type === 'list') return typeof given === 'string' ? [given] : given;
  const text = typeof given === 'string' ? given : (given.at(-1) ?? '');
  if (text === '' && type !== 'text') return null;
  if (type === 'number' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
