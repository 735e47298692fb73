import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';

export const OrganizationPage = (): ReactNode => <Page title="Settings">{null}</Page>;
