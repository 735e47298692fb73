import type { DisplayedDashboard, DisplayedWidget } from '#contract/dashboards/display.ts';
import type { Widget } from '#contract/dashboards/dashboards.ts';
import { call, callForFile, callForLines } from '../../app/api.ts';
import type { ReadResults } from '../results/loader.ts';

/** Long after a response is due: a request without any would keep the display from trying again. */
const timeoutMs = 30_000;

export const readDisplayedDashboard = (token: string, signal: AbortSignal): Promise<DisplayedDashboard> =>
  call('GET /api/display', { token, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });

/** Returns what reads results with the filters of the link. Calls `onFailure` if the server doesn't send them. */
export const readDisplayedResults = (token: string, onFailure: () => void): ReadResults =>
  async function* (_, { widgetIds }, signal) {
    try {
      const batches = callForLines('GET /api/display/results', {
        query: widgetIds === undefined ? {} : { 'widget-ids': widgetIds.join(',') },
        token,
        signal,
      });
      for await (const lines of batches) yield lines.map((line) => ({ ...line, reportId: unknownReport }));
    } catch (error) {
      if (!signal.aborted) onFailure();
      throw error;
    }
  };

/** A display doesn't know which reports it shows. */
const unknownReport = 'report';

/** Returns a widget of a display as the pages of dashboards show it. */
export const toWidget = ({ builtIn = unknownReport, ...widget }: DisplayedWidget): Widget => ({
  ...widget,
  reportId: builtIn,
});

export const readDisplayedImage = (token: string, imageId: string): Promise<Blob> =>
  callForFile('GET /api/display/images/{imageId}', '*/*', { params: { imageId }, token });
