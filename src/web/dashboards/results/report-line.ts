import type { WidgetResult } from '#contract/dashboards/results.ts';
import { ApiProblem, call } from '../../app/api.ts';

/** Returns the result of a report in the form of the results of a dashboard. */
export async function readLine(reportId: string, signal: AbortSignal): Promise<WidgetResult> {
  const params = { reportId };
  const [report, result] = await Promise.all([
    orProblem(call('GET /api/reports/{reportId}', { params, signal })),
    orProblem(call('POST /api/reports/{reportId}/run', { params, body: {}, signal })),
  ]);
  const line = { widgetIds: [], reportId };
  if (report instanceof ApiProblem) return { ...line, problem: report.problem };
  const named = { ...line, reportName: report.name, visualization: report.visualization };
  return result instanceof ApiProblem ? { ...named, problem: result.problem } : { ...named, result };
}

/** Returns a response, or the problem that the server responded with. */
const orProblem = async <Value>(response: Promise<Value>): Promise<Value | ApiProblem> =>
  response.catch((error: unknown) => {
    if (error instanceof ApiProblem) return error;
    throw error;
  });
