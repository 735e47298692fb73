import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const ReportHistoryPage = (): ReactNode => <Page title="History">{null}</Page>;
