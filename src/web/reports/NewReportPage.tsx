import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const NewReportPage = (): ReactNode => <Page title="New report">{null}</Page>;
