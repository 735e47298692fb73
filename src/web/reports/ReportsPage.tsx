import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const ReportsPage = (): ReactNode => <Page title="Reports">{null}</Page>;
