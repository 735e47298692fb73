import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const ReportPage = (): ReactNode => <Page title="Report">{null}</Page>;
