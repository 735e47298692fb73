import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const ReportEditPage = (): ReactNode => <Page title="Edit report">{null}</Page>;
